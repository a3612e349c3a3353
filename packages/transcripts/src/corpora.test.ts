import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultIn, readWhole, type SessionReading } from '../test/reading.ts';

const corpora = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));
const present = existsSync(`${corpora}expected-counts.json`);
if (!present) console.warn('The corpora are absent: their counts are NOT tested.');

type Counts = Readonly<Record<string, number>>;
interface Expected {
  readonly file: string;
  readonly format: string;
  readonly sessions: number;
  readonly userInputBy: Counts;
  readonly skippedBy?: Counts;
  readonly kinds: Counts;
  readonly usage?: Counts;
  readonly perSession?: readonly (Counts & { readonly task: number; readonly trial: number })[];
}
const supported = ['pi', 'claude-code', 'mini-swe-agent', 'tau-bench', 'swe-agent', 'gemini-cli'];
const all = present ? (JSON.parse(readFileSync(`${corpora}expected-counts.json`, 'utf8')) as { files: (Expected & Counts)[] }).files : [];

function add(sums: Record<string, number>, counts: object): void {
  for (const [key, value] of Object.entries(counts)) if (typeof value === 'number' && value !== 0) sums[key] = (sums[key] ?? 0) + value;
}
const nonZero = (counts: object): Record<string, number> => {
  const sums: Record<string, number> = {};
  add(sums, counts);
  return sums;
};
function total(sessions: readonly SessionReading[], pick: (session: SessionReading) => object): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const session of sessions) add(sums, pick(session));
  return sums;
}
const byReason = ({ report }: SessionReading): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { reason } of report.skipped) add(sums, { [reason]: 1 });
  return sums;
};

describe('expected counts', () => {
  it.skipIf(present)('needs the corpora', () => undefined);
  for (const expected of all.filter((one) => supported.includes(one.format))) {
    it(expected.file, async () => {
      const { format, sessions } = await readWhole(corpora + expected.file);
      expect(format).toBe(expected.format);
      expect(sessions.map(faultIn).filter((fault) => fault !== null)).toEqual([]);
      const { sessions: _count, skipped, ...counts } = nonZero(expected);
      expect(total(sessions, ({ report }) => report)).toEqual({ ...counts, ...(skipped === undefined ? {} : { skippedRecords: skipped }) });
      expect(sessions.length).toBe(expected.sessions);
      expect(total(sessions, ({ report }) => report.userInputBy)).toEqual(nonZero(expected.userInputBy));
      expect(total(sessions, ({ report }) => report.kinds)).toEqual(nonZero(expected.kinds));
      expect(total(sessions, ({ report }) => report.usage)).toEqual(nonZero(expected.usage ?? {}));
      expect(total(sessions, byReason)).toEqual(nonZero(expected.skippedBy ?? {}));
      for (const [index, one] of (expected.perSession ?? []).entries()) {
        const { session: _index, task, trial, ...per } = one;
        expect(sessions[index]?.report).toMatchObject(per);
        expect(sessions[index]?.id).toBe(`task-${String(task)}-trial-${String(trial)}`);
      }
    });
  }
});
