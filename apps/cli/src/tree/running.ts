import { Option, type Command } from 'commander';
import type { CompareOptions } from '../commands/compare.ts';
import type { ReplayOptions } from '../commands/replay.ts';
import type { RunOptions } from '../commands/run.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { configFile, describe, json } from './options.ts';

export function replays(program: Command): void {
  describe(program.command('demo'), 'replay the sample session that comes with palimpsest', 'demo')
    .addOption(json())
    .action(async (options: CommonOptions) => (await import('../commands/demo.ts')).demo(options));
  describe(program.command('replay'), 'run a recorded session through the kernel', 'replay session.jsonl --window 32000')
    .argument('<transcript>', 'a session file, gzipped or not; - reads stdin')
    .option('--window <tokens>', 'the context window to replay on', '128000')
    .option('--engine <name>', 'the context engine')
    .option('--format <name>', 'read the file as this format')
    .option('--tree', 'follow the parents of a true tree')
    .addOption(
      new Option('--wire <name>', 'how bodies are written')
        .choices(['openai-chat', 'openai-responses', 'anthropic'])
        .default('openai-chat'),
    )
    .option('--dump-requests <dir>', "write each request's body, 000001.json on")
    .option('--probes <file>', 'needed-again probes to score the engine with')
    .addOption(configFile())
    .addOption(json())
    .action(async (transcript: string, options: ReplayOptions) => (await import('../commands/replay.ts')).replay(transcript, options));
  describe(
    program.command('compare'),
    'several engines over your own session files, side by side',
    'compare session.jsonl --engines compressor,sliding',
  )
    .argument('<transcripts...>', 'session files, gzipped or not')
    .option('--engines <names>', 'names with commas between; "sliding" drops the oldest part', 'compressor,sliding')
    .option('--window <tokens>', 'the context window to replay on', '128000')
    .addOption(configFile())
    .addOption(json())
    .action(async (transcripts: string[], options: CompareOptions) =>
      (await import('../commands/compare.ts')).compare(transcripts, options),
    );
}

export function talking(program: Command): void {
  describe(
    program.command('run'),
    'send one prompt and stream the answer; the model has no tools here, a host of your own brings them',
    'run "What is a palimpsest?" --session work',
  )
    .argument('<prompt>')
    .option('--session <id>', 'go on with this session, or begin it')
    .addOption(configFile())
    .addOption(json())
    .action(async (prompt: string, options: RunOptions) => (await import('../commands/run.ts')).run(prompt, options));
}
