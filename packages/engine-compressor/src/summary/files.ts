/** Which files a tool call read or changed, from its arguments. Pure; never throws. */
import type { Json } from '@palimpsest/contracts';

export interface Touched {
  readonly read: readonly string[];
  readonly modified: readonly string[];
}

const pathKeys = [
  'path',
  'file_path',
  'filePath',
  'filename',
  'file',
  'notebook_path',
  'target_file',
  'absolute_path',
  'relative_path',
  'destination',
];
const commandKeys = ['command', 'cmd', 'script', 'input', 'patch'];
const changes = /write|edit|patch|create|replace|insert|delete|remove|update|append|move|rename|save/iu;
const reads = /read|view|open|cat|show|load|fetch|get/iu;
const MOST_PATH_CHARS = 300;
const pathLike = /^(?=.*[./])[\w.~/@+: -]+$/u;

/** A failed call changed nothing as far as anybody knows, so it counts for neither list. */
export function touchedFiles(toolName: string, input: Json, failed: boolean): Touched {
  if (failed) return { read: [], modified: [] };
  const paths = pathsIn(input);
  const shell = commandsIn(input).map(fromCommand);
  const kind = kindOf(toolName, input);
  return {
    read: [...(kind === 'read' ? paths : []), ...shell.flatMap(({ read }) => read)],
    modified: [...(kind === 'modified' ? paths : []), ...shell.flatMap(({ modified }) => modified)],
  };
}

/** A tool that does both says which by its `command`. */
function kindOf(toolName: string, input: Json): 'read' | 'modified' | null {
  const verb = stringAt(input, 'command');
  if (verb !== null && /^\w+$/u.test(verb) && pathsIn(input).length > 0)
    return changes.test(verb) ? 'modified' : reads.test(verb) ? 'read' : null;
  return changes.test(toolName) ? 'modified' : reads.test(toolName) ? 'read' : null;
}

function pathsIn(input: Json): readonly string[] {
  const named = pathKeys.flatMap((key) => stringAt(input, key) ?? []);
  const list = isRecord(input) && Array.isArray(input['paths']) ? input['paths'].filter((path) => typeof path === 'string') : [];
  return [...named, ...list].filter(
    (path) => path.length > 0 && path.length <= MOST_PATH_CHARS && !path.includes('\n') && !path.includes('://'),
  );
}

function commandsIn(input: Json): readonly string[] {
  return typeof input === 'string' ? [input] : commandKeys.flatMap((key) => stringAt(input, key) ?? []);
}

function stringAt(input: Json, key: string): string | null {
  const value = isRecord(input) ? input[key] : undefined;
  return typeof value === 'string' ? value : null;
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromCommand(command: string): Touched {
  const patched = [...command.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ b\/)(.{1,300})$/gmu)].map((match) => match[1] ?? '');
  const lines = withoutHeredocs(command.slice(0, 8_000));
  const written = [
    ...lines.matchAll(/(?:^|[^0-9&>=-])>{1,2}\s{0,4}(["']?[^\s;|&<>()]{1,300})/gmu),
    ...lines.matchAll(/\btee\s{1,4}(?:-a\s{1,4})?([^\s;|&<>()]{1,300})/gu),
    ...lines.matchAll(/\bsed\s{1,4}-i\S{0,8}\s[^\n;|&]{0,200}?\s([^\s;|&<>()'"]{1,300})\s{0,4}(?:$|[;|&\n])/gmu),
  ].map((match) => match[1] ?? '');
  const shown = [
    ...lines.matchAll(
      /\b(?:cat|head|tail|less|nl|wc)\s{1,4}(?:-{1,2}\S{1,12}\s{1,4}(?:\d{1,8}\s{1,4})?){0,3}([^\s;|&<>()-][^\s;|&<>()]{0,299})/gu,
    ),
  ].map((match) => match[1] ?? '');
  return { modified: [...patched, ...written].flatMap(asPath), read: shown.flatMap(asPath) };
}

/** A heredoc's body is what is written, no command: it may hold any character. */
function withoutHeredocs(command: string): string {
  const at = /<<-?\s{0,4}['"]?\w+/u.exec(command);
  if (at === null) return command;
  const end = command.indexOf('\n', at.index);
  return end < 0 ? command : command.slice(0, end);
}

function asPath(raw: string): readonly string[] {
  const path = raw.trim().replace(/^["']|["']$/gu, '');
  return pathLike.test(path) && !path.startsWith('/dev/') && !/^[.\d]+$/u.test(path) ? [path] : [];
}
