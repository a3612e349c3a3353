/** A summary as data. Sections hold single-line items; what cannot be sorted into one is `earlier`. */
export interface SummaryDocument {
  /** The oldest thing that the user asked for. */
  readonly goal: string | null;
  /** Other user inputs, newest first. */
  readonly tasks: readonly string[];
  /** Lines about what the operator wants kept in mind. */
  readonly focus: readonly string[];
  /** Newest first. */
  readonly answers: readonly string[];
  /** Oldest first; numbers go on over compactions. */
  readonly work: readonly WorkItem[];
  /** Newest first. */
  readonly modified: readonly string[];
  /** Newest first; without those that were modified. */
  readonly read: readonly string[];
  /** Newest first. */
  readonly errors: readonly string[];
  /** Strings that may be needed to the letter, most useful first. */
  readonly identifiers: readonly string[];
  /** Lines of summaries that have another form, oldest first. */
  readonly earlier: readonly string[];
}
export interface WorkItem {
  readonly number: number;
  readonly text: string;
}

export const emptyDocument: SummaryDocument = {
  goal: null,
  tasks: [],
  focus: [],
  answers: [],
  work: [],
  modified: [],
  read: [],
  errors: [],
  identifiers: [],
  earlier: [],
};

/** No list grows over this, however long a session lives. */
const MOST_ITEMS = 400;
/** Of the identifiers, this many of the newer part stand before each one of the older. */
const NEWER_PER_OLDER = 2;

/** One document for two stretches that follow each other. Pure. */
export function merged(older: SummaryDocument, newer: SummaryDocument): SummaryDocument {
  const goal = older.goal ?? newer.goal;
  const tasks = [...newer.tasks, ...(newer.goal === null || newer.goal === goal ? [] : [newer.goal]), ...older.tasks];
  const modified = unique([...newer.modified, ...older.modified]);
  return {
    goal,
    tasks: unique(tasks).filter((task) => task !== goal),
    focus: unique([...newer.focus, ...older.focus]),
    answers: unique([...newer.answers, ...older.answers]),
    work: continued(older.work, newer.work),
    modified,
    read: unique([...newer.read, ...older.read]).filter((path) => !modified.includes(path)),
    errors: unique([...newer.errors, ...older.errors]),
    identifiers: interleaved(newer.identifiers, older.identifiers),
    earlier: [...older.earlier, ...newer.earlier].slice(-MOST_ITEMS),
  };
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)].slice(0, MOST_ITEMS);
}

function continued(older: readonly WorkItem[], newer: readonly WorkItem[]): readonly WorkItem[] {
  const offset = older.at(-1)?.number ?? 0;
  return [...older, ...newer.map(({ number, text }) => ({ number: number + offset, text }))].slice(-MOST_ITEMS);
}

function interleaved(newer: readonly string[], older: readonly string[]): readonly string[] {
  const out: string[] = [];
  let taken = 0;
  for (const item of older) {
    out.push(...newer.slice(taken, taken + NEWER_PER_OLDER), item);
    taken += NEWER_PER_OLDER;
  }
  return unique([...out, ...newer.slice(taken)]);
}
