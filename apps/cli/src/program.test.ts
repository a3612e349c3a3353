import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { completionScript } from './completion.ts';
import { palimpsest, spelledOut } from './program.ts';

interface Placed {
  readonly path: readonly string[];
  readonly command: Command;
}
function all(command: Command, path: readonly string[]): readonly Placed[] {
  return [{ path, command }, ...command.commands.flatMap((one) => all(one, [...path, one.name()]))];
}
const tree = all(palimpsest(), ['palimpsest']);
const named = tree.map(({ path, command }): readonly [string, Command] => [path.join(' '), command]);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  return text;
}

it('has the commands that are promised', () => {
  expect(named.map(([path]) => path.replace(/^palimpsest ?/u, ''))).toEqual([
    '',
    'init',
    'run',
    'demo',
    'replay',
    'compare',
    'sessions',
    'sessions list',
    'sessions show',
    'sessions tree',
    'sessions search',
    'sessions fork',
    'sessions export',
    'sessions import',
    'why',
    'context',
    'engines',
    'models',
    'doctor',
    'engine',
    'engine new',
    'engine check',
    'engine sync',
    'engine trust',
    'engine untrust',
    'config',
    'config check',
    'config explain',
    'config schema',
    'completion',
  ]);
});

it('names every command in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
  for (const { path, command } of tree.slice(1).filter((one) => one.command.commands.length === 0)) {
    const words = path.slice(1).join(' ');
    const row = rows.find((line) => new RegExp(`^\\| \`${words}[ \`]`, 'u').test(line));
    expect([words, row]).toEqual([words, expect.any(String)]);
    for (const { long } of command.options)
      if (!['--json', '--config', '--output'].includes(long ?? ''))
        expect([words, row]).toEqual([words, expect.stringContaining(String(long))]);
  }
});

it.each(named)('%s shows an example of itself first', (path, command) => {
  const [first] = helpOf(command).split('\n');
  expect(first).toMatch(new RegExp(`^Example: ${path}( |$)`, 'u'));
  expect(command.description()).not.toBe('');
});

it('fits its help to a narrow terminal', () => {
  for (const width of [60, 80, 200]) {
    for (const [, command] of named) {
      let text = '';
      command.configureOutput({
        writeOut: (piece) => {
          text += piece;
        },
        getOutHelpWidth: () => width,
      });
      command.outputHelp();
      const long = text.split('\n').filter((line) => line.length > width && !line.startsWith('Example: '));
      expect([width, long]).toEqual([width, []]);
    }
  }
});

it.each(named.filter(([path, command]) => command.commands.length === 0 && path !== 'palimpsest completion'))(
  '%s prints JSON when asked',
  (_path, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  },
);

it.each(['bash', 'zsh', 'fish'] as const)('completes every command and option in %s', (shell) => {
  const script = completionScript(palimpsest(), shell);
  for (const { path, command } of tree.slice(1)) {
    expect(script).toContain(path.at(-1));
    for (const { long } of command.options) expect(script).toContain(shell === 'fish' ? `-l ${String(long).slice(2)}` : String(long));
  }
});

it('offers in fish what an option or an argument may be', () => {
  const script = completionScript(palimpsest(), 'fish');
  expect(script).toContain("-l wire -x -a 'openai-chat openai-responses anthropic' -d");
  expect(script).toContain('-s o -l output -r -d');
  expect(script).toContain("-n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
});

it('completes at once where zsh loads it from a folder', () => {
  expect(completionScript(palimpsest(), 'zsh').trimEnd().split('\n').at(-1)).toBe(
    'if [ "${funcstack[1]}" = _palimpsest ]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi',
  );
});

it.each([
  ['help', '--help'],
  ['help sessions', 'sessions --help'],
  ['help sessions list', 'sessions list --help'],
  ['help demo anything', 'demo --help'],
  ['help nope', 'nope'],
  ['help sessions nope list', 'sessions nope'],
  ['help --help', 'help --help'],
  ['sessions help', 'sessions help'],
])('%s is %s', (asked, meant) => {
  expect(spelledOut(palimpsest(), ['node', 'palimpsest', ...asked.split(' ')])).toEqual(['node', 'palimpsest', ...meant.split(' ')]);
});
