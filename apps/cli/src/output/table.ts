/** How tables and lists are laid out. Pure: the width is given, colour is added by whoever prints. */
import { cleanLine } from './clean.ts';
import { cut, wide } from './width.ts';

export type Cell = string | number;
export type Row = readonly Cell[];

const GAP = 2;
/** A text column is never cut below this. */
const LEAST_TEXT = 16;
/** Heads of columns that hold what people wrote. Everything else (ids, places, names of engines) is whole or it is of no use. */
const PROSE: readonly string[] = ['', 'name', 'text', 'value'];

/**
 * Lines of a table, the head first. Numbers stand to the right. With a width (a terminal), the last column of prose is cut to fit it; where
 * even that is not enough, each row becomes a block of `head: value` lines, whole. Without one (a pipe) nothing is cut.
 */
export function tableLines(rows: readonly Row[], head: readonly string[], widthColumns: number | null): readonly string[] {
  const cells = [head, ...rows].map((row) => head.map((_, column) => textOf(row[column] ?? '')));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => wide(row[column] ?? ''))));
  const last = lastText(rows, head);
  const over = widthColumns === null ? 0 : sum(widths) + GAP * (head.length - 1) - widthColumns;
  if (over <= 0) return cells.map((row) => laidOut(row, widths, rows));
  const left = (widths[last] ?? 0) - over;
  if (last < 0 || left < Math.min(LEAST_TEXT, widths[last] ?? 0)) return blocks(rows, head, widthColumns);
  const fitted = widths.map((width, column) => (column === last ? left : width));
  return cells.map((row) =>
    laidOut(
      row.map((cell, column) => (column === last ? cut(cell, left) : cell)),
      fitted,
      rows,
    ),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The last column of prose. */
function lastText(rows: readonly Row[], head: readonly string[]): number {
  return head.findLastIndex((name, column) => PROSE.includes(name) && rows.every((row) => typeof row[column] !== 'number'));
}

function laidOut(row: readonly string[], widths: readonly number[], rows: readonly Row[]): string {
  return row
    .map((cell, column) => {
      const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - wide(cell)));
      return typeof rows[0]?.[column] === 'number' ? fill + cell : cell + fill;
    })
    .join(' '.repeat(GAP))
    .trimEnd();
}

/** The first line is empty: it stands for the head. */
function blocks(rows: readonly Row[], head: readonly string[], widthColumns: number | null): readonly string[] {
  const lines = rows.map((row) =>
    head.flatMap((name, column) => {
      const text = textOf(row[column] ?? '');
      return text === '' ? [] : wrapped(name === '' ? text : `${name}: ${text}`, widthColumns).split('\n');
    }),
  );
  return ['', ...lines.flatMap((block, index) => (index === 0 ? block : ['', ...block]))];
}

const textOf = (cell: Cell): string => (typeof cell === 'number' ? number(cell) : cleanLine(cell));

/** Breaks a sentence between words; lines after the first begin with `indent`. A word that is longer than a line stays whole. */
export function wrapped(text: string, widthColumns: number | null, indent = ''): string {
  if (widthColumns === null) return text;
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/(?<=\S) /u)) {
    if (current !== '' && wide(current) + 1 + wide(word) > widthColumns) {
      lines.push(current);
      current = indent + word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}

/** What is to the right needs this much, or goes below. */
const LEAST_RIGHT = 24;

/** `label  value`, values one below the other. Nothing is cut: a value is broken between words, and stands below its label where there is no room beside it. */
export function factLines(facts: readonly (readonly [label: string, value: string])[], widthColumns: number | null): readonly string[] {
  const left = Math.max(...facts.map(([label]) => wide(label))) + GAP;
  const right = widthColumns === null ? Infinity : widthColumns - left;
  const lines = (text: string, width: number): readonly string[] => wrapped(cleanLine(text), width === Infinity ? null : width).split('\n');
  return facts.flatMap(([label, value]) => {
    const beside = lines(value, right);
    const fits = right >= LEAST_RIGHT && beside.every((text) => wide(text) <= right);
    return fits
      ? beside.map((text, index) => (index === 0 ? label : '').padEnd(left) + text)
      : [label, ...lines(value, (widthColumns ?? Infinity) - GAP).map((text) => ' '.repeat(GAP) + text)];
  });
}

/** Commands to type, with what each is for beside it, or below it where not all fit. A command is never broken. */
export function commandLines(
  commands: readonly (readonly [command: string, about: string])[],
  widthColumns: number | null,
): readonly string[] {
  const left = Math.max(...commands.map(([command]) => wide(command)));
  const whole = 2 * GAP + left + Math.max(...commands.map(([, about]) => wide(about)));
  if (widthColumns === null || whole <= widthColumns) return commands.map(([command, about]) => `  ${command.padEnd(left)}  ${about}`);
  return commands.flatMap(([command, about]) => [`  ${command}`, `      ${about}`]);
}

/** "1 step", "1,234 steps". */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : more}`;
}

/** 1234567 → 1,234,567. */
export function number(value: number): string {
  const [whole = '', part] = String(value).split('.');
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/gu, ',')}${part === undefined ? '' : `.${part}`}`;
}

/** A bar of `width` characters of which `share` (0 to 1) is filled; anything above nothing shows. */
export function bar(share: number, width: number, plain: boolean): string {
  const filled = share <= 0 ? 0 : Math.min(width, Math.max(1, Math.round(share * width)));
  return (plain ? '#' : '█').repeat(filled) + (plain ? '.' : '░').repeat(width - filled);
}
