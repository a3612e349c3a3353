import type { Command, Option } from 'commander';

/** One place in the tree and what may stand there: commands below it and its options. */
interface Stop {
  /** Words from the program on, blanks between; '' for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
  readonly options: readonly Option[];
  /** Words that an argument may be. */
  readonly choices: readonly string[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
}

/** A completion script made from the tree of commands. Where no word of ours fits, files are offered. */
export function completionScript(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  const stops = stopsOf(program, []);
  if (shell === 'fish') return fish(stops);
  return shell === 'bash' ? bash(stops) : zsh(stops);
}

function stopsOf(command: Command, path: readonly string[]): readonly Stop[] {
  const { options } = command;
  const commands = command.commands.map((one) => ({ name: one.name(), about: one.description() }));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ long }) => long ?? []), '--help'];
  return [
    { path: path.join(' '), words, options, choices, commands },
    ...command.commands.flatMap((one) => stopsOf(one, [...path, one.name()])),
  ];
}

/** `parent child` for every command, as the walk below sees it. */
const steps = (stops: readonly Stop[]): string =>
  stops.flatMap(({ path, commands }) => commands.map(({ name }) => `"${path} ${name}"`)).join('|');

function bash(stops: readonly Stop[]): string {
  const cases = stops.map(({ path, words }) => `    "${path}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur")) ;;`);
  return `# bash completion for palimpsest
_palimpsest() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in ${steps(stops)}) at="\${at:+$at }\${COMP_WORDS[i]}" ;; esac
  done
  case "$at" in
${cases.join('\n')}
  esac
}
complete -o default -F _palimpsest palimpsest
`;
}

function zsh(stops: readonly Stop[]): string {
  const cases = stops.map(({ path, words }) => `    "${path}") compadd -- ${words.join(' ')} ;;`);
  return `#compdef palimpsest
_palimpsest() {
  local at="" word
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$at $word" in ${steps(stops)}) at="\${at:+$at }$word" ;; esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _files
}
# Sourced, it is registered; loaded from fpath, this is the first call.
if [ "\${funcstack[1]}" = _palimpsest ]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi
`;
}

function fish(stops: readonly Stop[]): string {
  const lines = stops.flatMap((stop) => {
    const condition = conditionOf(stop);
    const commands = stop.commands.map(({ name, about }) => `complete -c palimpsest -n ${condition} -f -a ${name} -d ${quoted(about)}`);
    const choices = stop.choices.length === 0 ? [] : [`complete -c palimpsest -n ${condition} -f -a ${quoted(stop.choices.join(' '))}`];
    return [...commands, ...choices, ...stop.options.map((option) => fishOption(option, condition))];
  });
  return `# fish completion for palimpsest\ncomplete -c palimpsest -s h -l help -d 'display help'\n${lines.join('\n')}\n`;
}

/** `-r`: a value follows; `-x`: it is none of the files, but one of these. */
function fishOption({ short, long, description, required, argChoices }: Option, condition: string): string {
  const names = [...(short === undefined ? [] : [`-s ${short.slice(1)}`]), ...(long === undefined ? [] : [`-l ${long.slice(2)}`])];
  const value = argChoices === undefined ? (required ? ['-r'] : []) : ['-x', '-a', quoted(argChoices.join(' '))];
  return ['complete -c palimpsest', '-n', condition, ...names, ...value, '-d', quoted(description)].join(' ');
}

function conditionOf({ path, commands }: Stop): string {
  if (path === '') return quoted('__fish_use_subcommand');
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`];
  return quoted([...seen, ...below].join('; and '));
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
