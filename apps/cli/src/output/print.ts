import pc from 'picocolors';
import { inert } from '@palimpsest/contracts/plain';
import { clean, cleanLine } from './clean.ts';
import { columnsOf } from './columns.ts';
import { out } from './stdout.ts';
import { bar as barOf, commandLines, factLines, tableLines, wrapped, type Row } from './table.ts';

export { counted, number } from './table.ts';

/** Text of others is in most lines: none of them gets a terminal to do anything. */
export function line(text = ''): void {
  out(`${clean(text)}\n`);
}

/** A line in colours of ours: what others wrote in it has been cleaned. */
export function styledLine(text: string): void {
  out(`${text}\n`);
}

export function json(value: unknown): void {
  out(`${inert(JSON.stringify(value, null, 2))}\n`);
}

export function warn(text: string): void {
  const columns = columnsOf(process.stderr);
  process.stderr.write(`${pc.yellow('!')} ${wrapped(clean(text), columns === null ? null : columns - 2, '  ')}\n`);
}

/** A sentence, broken between words where the terminal is narrow. */
export function prose(text: string, indent = ''): void {
  line(wrapped(clean(text), terminalColumns(), indent));
}

/** Columns of the terminal; null: a pipe, in which nothing is cut. */
export function terminalColumns(): number | null {
  return columnsOf(process.stdout);
}

/** Columns as wide as their widest cell; numbers to the right; fitted to the terminal. Without any head, no line for it. */
export function table(rows: readonly Row[], head: readonly string[]): void {
  const [first = '', ...rest] = tableLines(rows, head, terminalColumns());
  if (first !== '') styledLine(pc.bold(first));
  for (const text of rest) line(text);
}

/** See {@link factLines}. */
export function facts(rows: readonly (readonly [label: string, value: string])[]): void {
  for (const text of factLines(rows, terminalColumns())) line(text);
}

/** See {@link commandLines}. */
export function tryNext(commands: readonly (readonly [command: string, about: string])[]): void {
  line('Try next:');
  for (const text of commandLines(commands, terminalColumns())) line(text);
}

/** A bar that fits beside `besides` other characters: blocks on a terminal, plain characters in a pipe. */
export function bar(share: number, besides: number): string {
  const columns = terminalColumns();
  return barOf(share, Math.max(8, Math.min(30, (columns ?? 80) - besides)), columns === null || process.env['TERM'] === 'dumb');
}

export function strong(text: string): string {
  return pc.bold(cleanLine(text));
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
