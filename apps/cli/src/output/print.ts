import pc from 'picocolors';

export function line(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function json(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function warn(text: string): void {
  process.stderr.write(`${pc.yellow('!')} ${text}\n`);
}

/** Columns as wide as their widest cell; numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[], head: readonly string[]): void {
  const cells = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  for (const [index, row] of cells.entries()) {
    const text = row.map((cell, column) => (typeof rows[0]?.[column] === 'number' ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join('  ').trimEnd();
    line(index === 0 ? pc.bold(text) : text);
  }
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Positive whole number of an option. @returns null when it is none. */
export function wholeNumber(text: string): number | null {
  return /^[1-9][0-9_]{0,12}$/u.test(text) ? Number(text.replaceAll('_', '')) : null;
}
