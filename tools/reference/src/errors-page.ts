import type { ErrorRow } from './error-rows.ts';
import { cell } from './table.ts';

const HEAD = `# Errors

Written by \`npm run docs\` from \`packages/contracts/src/errors/catalogue.ts\`; do not edit.

Every error is a \`PalimpsestError\` with a \`code\`, a \`kind\`, a message, serialisable \`details\` and often a hint. The kind says whose
move it is: **config**, the user wrote something wrong or named what does not exist (exit code 2); **plugin**, a plugin broke a rule;
**environment**, disk, network or another process; **session**, the call does not fit the session's state; **internal**, our fault. What
varies stands in angle brackets, what may be missing in square ones.
`;

/** The page of all errors, by area and in the catalogue's order. */
export function errorsPage(rows: readonly ErrorRow[]): string {
  const areas = [...new Set(rows.map(areaOf))].sort();
  const tables = areas.map((area) => {
    const lines = rows.filter((row) => areaOf(row) === area).map(lineOf);
    return `\n## ${area}\n\n| code | kind | message | what to do |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return HEAD + tables.join('');
}

const areaOf = ({ code }: ErrorRow): string => code.split('_')[0] ?? code;

function lineOf({ code, kind, message, hint, retryable }: ErrorRow): string {
  const again = retryable === true ? 'May be tried again.' : retryable === 'sometimes' ? 'May be tried again, depending on the cause.' : '';
  const advice = [hint ?? '', again].filter((each) => each !== '').join(' ');
  return `| \`${code}\` | ${kind} | ${cell(message)} | ${cell(advice)} |`;
}
