/** A tool call and its result as one line: tool, main argument, how it ended, how much it gave. Pure; never throws. */
import type { Json, ToolOutput } from '@palimpsest/contracts';
import { isError, jsonText, oneLine, outputText } from './text.ts';
import { redact } from './redact.ts';

const mainKeys = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'filename',
  'pattern',
  'query',
  'url',
  'goal',
  'task',
  'prompt',
  'question',
  'description',
  'code',
  'name',
  'id',
];
const ARGUMENT_CHARS = 80;
const SMALL_ARGUMENT_CHARS = 40;
const READ_CHARS = 4_000;
const exitCode =
  /\b(?:exit(?:ed)?(?:[ _]?(?:code|status))?|return[ _]?code)["']?\s{0,3}(?:with\s{1,3}(?:code|status)\s{1,3})?[:=]?\s{0,3}(-?\d{1,5})\b/iu;

export function workLine(toolName: string, input: Json, output: ToolOutput | null): string {
  return [oneLine(toolName, 60), mainArgument(input), ending(output)].filter((part) => part !== '').join(' ');
}

export function mainArgument(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return input === null ? '' : quoted(jsonText(input), ARGUMENT_CHARS);
  const main = mainKeys.find((key) => typeof input[key] === 'string' && input[key] !== '');
  const path = main === 'command' ? ['path', 'file_path'].find((key) => typeof input[key] === 'string') : undefined;
  if (main !== undefined)
    return [
      quoted(jsonText(input[main]), ARGUMENT_CHARS),
      ...(path === undefined ? [] : [quoted(jsonText(input[path]), ARGUMENT_CHARS)]),
    ].join(' ');
  return Object.entries(input)
    .slice(0, 2)
    .map(([key, value]) => named(oneLine(key, SMALL_ARGUMENT_CHARS), jsonText(value)))
    .join(' ');
}

/** Some values are secret by their key alone. */
function named(key: string, value: string): string {
  const pair = `${key}=${value.slice(0, READ_CHARS)}`;
  const clean = redact(pair);
  return clean.startsWith(`${key}=`)
    ? `${key}=${quoted(clean.slice(key.length + 1), SMALL_ARGUMENT_CHARS)}`
    : quoted(clean, SMALL_ARGUMENT_CHARS);
}

function quoted(text: string, maxChars: number): string {
  return `\`${oneLine(shortened(redact(text.slice(0, READ_CHARS))), maxChars).replaceAll('`', "'")}\``;
}

/** The file sections and the identifiers hold whole paths; a line of work needs only to be recognised. */
function shortened(text: string): string {
  return text
    .replace(/^\s*cd\s+\S{1,300}\s*&&\s*/u, '')
    .replace(/(?<![\w./~-])[~/](?:[\w.@+-]{1,64}\/){3,20}(?=[\w.@+-]{1,96}\/[\w.@+-])/gu, '…/');
}

function ending(output: ToolOutput | null): string {
  if (output === null) return '→ no result';
  const text = outputText(output);
  const exit = exitOf(text);
  const state = isError(output) ? 'error' : exit === null ? 'ok' : `exit ${String(exit)}`;
  return `→ ${state}, ${size(text)}`;
}

/** The exit code that a shell tool states in its answer; null: none is stated. */
export function exitOf(text: string): number | null {
  const found = exitCode.exec(text.slice(0, 400)) ?? exitCode.exec(text.slice(-400));
  return found === null ? null : Number(found[1]);
}

function size(text: string): string {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > 1 ? `${String(lines)} lines` : `${String(text.length)} chars`;
}

const errorLine = /error|exception|fail|fatal|traceback|denied|not found|no such|refused|timed? ?out|panic/iu;

/** The line that names what went wrong; null: nothing did. Of a traceback, the last such line. */
export function errorOf(output: ToolOutput, clean: string): string | null {
  const exit = exitOf(clean);
  if (!isError(output) && (exit === null || exit === 0)) return null;
  const lines = clean
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => !/^(?:traceback\b|\(no output\)|(?:command |process )?(?:exit|return))/iu.test(line));
  const named = telling.filter((line) => errorLine.test(line));
  return (isError(output) ? (named[0] ?? telling[0]) : named.at(-1)) ?? null;
}
