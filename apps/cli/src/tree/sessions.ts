import type { Command } from 'commander';
import type { ImportOptions } from '../commands/import.ts';
import type { ExportOptions, ForkOptions, SearchOptions, SessionsOptions } from '../commands/sessions.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { configFile, describe, json } from './options.ts';

const stored = () => import('../commands/sessions.ts');

export function sessions(program: Command): void {
  const group = describe(program.command('sessions'), 'sessions in the store', 'sessions list');
  reading(group);
  describe(group.command('fork'), 'a new session with the path up to an entry', 'sessions fork work --as try-again')
    .argument('<session>')
    .argument('[entry]', 'the last entry of the copy; default: the leaf')
    .option('--as <id>', 'the id of the new session')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, entry: string | undefined, options: ForkOptions) => (await stored()).fork(session, entry, options));
  describe(group.command('export'), 'write a session to stdout or a file', 'sessions export work -o work.jsonl')
    .argument('<session>')
    .option('--format <name>', 'palimpsest (everything), openai-chat, anthropic, ai-sdk, markdown', 'palimpsest')
    .option('-o, --output <file>', 'write this file')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, options: ExportOptions) => (await stored()).exportTo(session, options));
  describe(group.command('import'), 'read a session file into the store', 'sessions import ~/.claude/projects/p/s.jsonl')
    .argument('<transcript>', 'a session file of any format that is known, gzipped or not; - reads stdin')
    .option('--format <name>', 'read the file as this format')
    .option('--as <id>', 'the id of the session')
    .addOption(configFile())
    .addOption(json())
    .action(async (transcript: string, options: ImportOptions) => (await import('../commands/import.ts')).importFile(transcript, options));
}

function reading(group: Command): void {
  describe(group.command('list'), 'all sessions, newest first', 'sessions list --limit 10')
    .option('--limit <n>', 'at most so many', '50')
    .addOption(configFile())
    .addOption(json())
    .action(async (options: SessionsOptions) => (await stored()).list(options));
  describe(group.command('show'), 'the entries of a session', 'sessions show work --limit 20')
    .argument('<session>')
    .option('--limit <n>', 'at most so many, newest', '200')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, options: SessionsOptions) => (await stored()).show(session, options));
  describe(group.command('tree'), 'the branches of a session, its leaf, compactions and labels', 'sessions tree work')
    .argument('<session>')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, options: CommonOptions) => (await stored()).tree(session, options));
  describe(group.command('search'), 'find words in what was said, run and summarised', 'sessions search timeout retry')
    .argument('<words...>')
    .option('--session <id>', 'only in this session')
    .option('--limit <n>', 'at most so many, best first', '20')
    .addOption(configFile())
    .addOption(json())
    .action(async (words: string[], options: SearchOptions) => (await stored()).search(words, options));
}
