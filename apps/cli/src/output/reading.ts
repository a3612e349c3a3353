import type { ReplayReport } from '@palimpsest/runtime';
import { number, prose } from './print.ts';

type Read = Pick<ReplayReport['transcript'], 'skipped' | 'notes'>;

/** What was left out of a session file, and what was odd about the rest, by reason. */
export function readingLines(transcripts: readonly Read[]): readonly string[] {
  const skipped = byReason(transcripts.flatMap((one) => one.skipped));
  const noted = byReason(transcripts.flatMap((one) => one.notes));
  return [
    ...(skipped === '' ? [] : [`skipped: ${skipped} (all with line numbers in --json)`]),
    ...(noted === '' ? [] : [`noted: ${noted} (all with line numbers in --json)`]),
  ];
}

export function tellReading(transcripts: readonly Read[]): void {
  for (const text of readingLines(transcripts)) prose(text);
}

function byReason(all: readonly { readonly reason: string }[]): string {
  const reasons = new Map<string, number>();
  for (const { reason } of all) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons].map(([reason, count]) => `${number(count)} ${reason}`).join(', ');
}
