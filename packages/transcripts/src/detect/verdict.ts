/** What detection answers. */
import type { FormatName } from '../transcript.ts';

/** `refused`: recognised, and not read by this version; the text names the format. */
export type Verdict = { readonly format: FormatName } | { readonly refused: string };
export interface Row<T> {
  readonly verdict: Verdict;
  readonly test: (seen: T) => boolean;
}

export const read = (format: FormatName): Verdict => ({ format });
export const refused = (name: string): Verdict => ({ refused: `${name} is recognised, and not read by this version` });
export const firstOf = <T>(rows: readonly Row<T>[], seen: T): Verdict | null => rows.find((row) => row.test(seen))?.verdict ?? null;
