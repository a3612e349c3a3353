import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { columnsOf } from './output/columns.ts';
import { authoring } from './tree/authoring.ts';
import { config, equipment, insights } from './tree/looking.ts';
import { describe } from './tree/options.ts';
import { replays, talking } from './tree/running.ts';
import { sessions } from './tree/sessions.ts';
import { completion, settingUp } from './tree/setting-up.ts';

/** Of a help text in a pipe. */
const PLAIN_COLUMNS = 80;
/** What a command is for is broken into lines where so much is left for it. */
const LEAST_TEXT = 16;

/** The tree of commands. Nothing of what they do is loaded by it. */
export function palimpsest(): Command {
  const program = describe(new Command('palimpsest'), 'An agent runtime whose context management is a plugin.', 'demo');
  // What commander has to say is thrown; it is worded like every other error.
  program
    .version(ownVersion())
    .configureOutput({
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(process.stdout) ?? PLAIN_COLUMNS,
      getErrHelpWidth: () => columnsOf(process.stderr) ?? PLAIN_COLUMNS,
    })
    .configureHelp({ minWidthToWrap: LEAST_TEXT })
    .exitOverride();
  settingUp(program);
  talking(program);
  replays(program);
  sessions(program);
  insights(program);
  equipment(program);
  authoring(program);
  config(program);
  completion(program);
  return program;
}

/** `help sessions list` is `sessions list --help`; a word that is no command is left where it is named as unknown. Pure. */
export function spelledOut(program: Command, [node = '', file = '', ...words]: readonly string[]): readonly string[] {
  const [first, ...names] = words;
  if (first !== 'help' || names.some((name) => name.startsWith('-'))) return [node, file, ...words];
  const path: string[] = [];
  for (let at = program; at.commands.length > 0 && path.length < names.length;) {
    const name = names[path.length] ?? '';
    const inner = at.commands.find((command) => command.name() === name);
    path.push(name);
    if (inner === undefined) return [node, file, ...path];
    at = inner;
  }
  return [node, file, ...path, '--help'];
}

/** Of the package, which a release numbers. */
function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return version;
}
