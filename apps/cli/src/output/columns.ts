/** Where nobody says how wide a terminal is. */
const USUAL = 80;
/** Below this nothing can be laid out. */
const LEAST = 20;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Columns of a terminal: `COLUMNS` where it is a number, else what the terminal says; 0 is nothing that one could write on. Null: a pipe or a file, in which nothing is cut. */
export function columnsOf({ isTTY, columns }: Stream, asked = process.env['COLUMNS']): number | null {
  if (isTTY !== true) return null;
  const said = asked !== undefined && /^\d{1,5}$/u.test(asked) ? Number(asked) : columns;
  return Math.max(LEAST, said === undefined || said === 0 ? USUAL : said);
}
