import { Command, CommanderError, Option } from 'commander';
import type { CommonOptions } from './open-runtime.ts';
import type { ReplayOptions } from './commands/replay.ts';
import type { RunOptions } from './commands/run.ts';
import type { ImportOptions } from './commands/import.ts';
import type { ExportOptions, ForkOptions, SearchOptions, SessionsOptions } from './commands/sessions.ts';
import type { WhyOptions } from './commands/why.ts';

/** Runs one command. Sets the exit code: 0 ok, 1 failed, 2 user error. Each command loads what it needs when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = palimpsest();
  process.stdout.on('error', closedPipe);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : (await import('./output/failure.ts')).fail(error, argv.includes('--json'));
  }
}

function palimpsest(): Command {
  const program = new Command('palimpsest').description('An agent runtime whose context management is a plugin.').version('0.1.0').showHelpAfterError().exitOverride();
  demo(program);
  replay(program);
  run(program);
  sessions(program);
  why(program);
  engines(program);
  config(program);
  return program;
}

const json = (): Option => new Option('--json', 'print JSON');
const configFile = (): Option => new Option('--config <file>', 'configuration file, over the project\'s and the user\'s');

function demo(program: Command): void {
  program.command('demo').description('replay the sample session that comes with palimpsest').addOption(json())
    .action(async (options: CommonOptions) => (await import('./commands/demo.ts')).demo(options));
}

function replay(program: Command): void {
  program.command('replay').description('run a recorded session through the kernel').argument('<transcript>', 'a session file, gzipped or not')
    .option('--window <tokens>', 'the context window to replay on', '128000')
    .option('--engine <name>', 'the context engine')
    .option('--format <name>', 'read the file as this format')
    .option('--tree', 'follow the parents of a true tree')
    .addOption(new Option('--wire <name>', 'how bodies are written').choices(['openai-chat', 'openai-responses', 'anthropic']).default('openai-chat'))
    .option('--dump-requests <dir>', 'write each request\'s body, 000001.json on')
    .option('--probes <file>', 'needed-again probes to score the engine with')
    .addOption(configFile()).addOption(json())
    .action(async (transcript: string, options: ReplayOptions) => (await import('./commands/replay.ts')).replay(transcript, options));
}

function run(program: Command): void {
  program.command('run').description('send one prompt and stream the answer').argument('<prompt>')
    .option('--session <id>', 'go on with this session, or begin it').addOption(configFile()).addOption(json())
    .action(async (prompt: string, options: RunOptions) => (await import('./commands/run.ts')).run(prompt, options));
}

function sessions(program: Command): void {
  const group = program.command('sessions').description('sessions in the store');
  group.command('list').description('all sessions, newest first').option('--limit <n>', 'at most so many', '50').addOption(configFile()).addOption(json())
    .action(async (options: SessionsOptions) => (await import('./commands/sessions.ts')).list(options));
  group.command('show').description('the entries of a session').argument('<session>').option('--limit <n>', 'at most so many, newest', '200').addOption(configFile()).addOption(json())
    .action(async (session: string, options: SessionsOptions) => (await import('./commands/sessions.ts')).show(session, options));
  group.command('import').description('read a session file into the store').argument('<transcript>').option('--format <name>', 'read the file as this format').option('--as <id>', 'the id of the session').addOption(configFile()).addOption(json())
    .action(async (transcript: string, options: ImportOptions) => (await import('./commands/import.ts')).importFile(transcript, options));
  group.command('tree').description('the branches of a session, its leaf, compactions and labels').argument('<session>').addOption(configFile()).addOption(json())
    .action(async (session: string, options: CommonOptions) => (await import('./commands/sessions.ts')).tree(session, options));
  group.command('fork').description('a new session with the path up to an entry').argument('<session>').argument('[entry]', 'the last entry of the copy; default: the leaf')
    .option('--as <id>', 'the id of the new session').addOption(configFile()).addOption(json())
    .action(async (session: string, entry: string | undefined, options: ForkOptions) => (await import('./commands/sessions.ts')).fork(session, entry, options));
  group.command('search').description('find words in what was said, run and summarised').argument('<words...>').option('--session <id>', 'only in this session').option('--limit <n>', 'at most so many, best first', '20')
    .addOption(configFile()).addOption(json())
    .action(async (words: string[], options: SearchOptions) => (await import('./commands/sessions.ts')).search(words, options));
  group.command('export').description('write a session to stdout or a file').argument('<session>').option('--format <name>', 'palimpsest (everything), openai-chat, anthropic, ai-sdk, markdown', 'palimpsest')
    .option('-o, --output <file>', 'write this file').addOption(configFile()).addOption(json())
    .action(async (session: string, options: ExportOptions) => (await import('./commands/sessions.ts')).exportTo(session, options));
}

function why(program: Command): void {
  program.command('why').description('what the model saw at a step, block by block, and why').argument('<session>').argument('[step]', 'number from 1, or an entry id; default: the newest')
    .option('--request', 'print only the exact body of the request').addOption(configFile()).addOption(json())
    .action(async (session: string, step: string | undefined, options: WhyOptions) => (await import('./commands/why.ts')).why(session, step, options));
}

function engines(program: Command): void {
  program.command('engines').description('which context engine is used and where it was looked for').argument('[name]').addOption(configFile()).addOption(json())
    .action(async (name: string | undefined, options: CommonOptions) => (await import('./commands/engines.ts')).engines(name, options));
}

function config(program: Command): void {
  const group = program.command('config').description('the configuration');
  group.command('check').description('read every layer and report the faults').argument('[file]').addOption(json())
    .action(async (file: string | undefined, options: CommonOptions) => (await import('./commands/config.ts')).check(file, options));
  group.command('explain').description('each effective value and where it comes from').argument('[path]').addOption(configFile()).addOption(json())
    .action(async (path: string | undefined, options: CommonOptions) => (await import('./commands/config.ts')).explain(path, options));
}

/** `palimpsest … | head`: whoever reads has enough. */
function closedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
