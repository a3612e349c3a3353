import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bench } from '../test/bench.ts';
import { replayTranscript, type HostRuntime } from './index.ts';

const corpora = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));
const present = existsSync(join(corpora, 'expected-counts.json'));
if (!present) console.warn(`SKIPPED: recorded sessions are not here (${corpora}); only generated ones were tested.`);

const figures = [
  'records',
  'userInput',
  'notice',
  'observation',
  'handoff',
  'continuation',
  'messages',
  'assistant',
  'assistantHidden',
  'assistantEmpty',
  'toolCalls',
  'toolResults',
  'callsWithoutResult',
  'resultsWithoutCall',
  'thinking',
  'thinkingSigned',
  'images',
  'compactions',
  'reductions',
  'read',
  'hidden',
  'meta',
] as const;
const chosen: readonly (readonly [file: string, window: number])[] = [
  ['pi-sessions/session.jsonl.gz', 32_000],
  ['claude-code-entire/60-fd31fcf44f-0.jsonl.gz', 8_000],
  ['mini-swe-agent-deepseek/deepseek_chat_dev--pylint-dev__astroid-1978.json.gz', 8_000],
];

describe.skipIf(!present)('recorded sessions', () => {
  let bench: Bench;
  let runtime: HostRuntime;
  let expected: readonly ({ readonly file: string } & Readonly<Record<(typeof figures)[number], number>>)[];
  beforeAll(async () => {
    bench = await Bench.open();
    runtime = await bench.runtime();
    expected = (JSON.parse(await readFile(join(corpora, 'expected-counts.json'), 'utf8')) as { files: typeof expected }).files;
  });
  afterAll(async () => {
    await bench.close();
  });

  it.each(chosen)(
    '%s holds on a window of %d tokens',
    async (file, window) => {
      const dumpDir = join(bench.folder, 'dump', file.replaceAll('/', '-'));
      const reports = await replayTranscript(runtime, { file: join(corpora, file), window, dumpDir });
      expect(reports).toHaveLength(1);
      const [report] = reports;
      if (report === undefined) return;
      expect(report.invariants).toEqual({ fits: true, pairs: true, newestUserEntry: true, accounted: true, prefixStable: true });
      expect(report.totals).toMatchObject({ overBudgetRequests: 0, invalidRequests: 0, exhausted: 0 });
      expect(report.totals.peakInputTokens).toBeLessThanOrEqual(report.effectiveTokens);
      const figuresOf = (from: Readonly<Record<string, unknown>>): object =>
        Object.fromEntries(figures.map((figure) => [figure, from[figure]]));
      expect(figuresOf({ ...report.transcript })).toEqual(figuresOf(expected.find((one) => one.file === file) ?? {}));
      expect(await readdir(dumpDir)).toHaveLength(report.totals.requests);
      for (let sample = 0; sample < 8; sample += 1) {
        const step = 1 + Math.round((sample * (report.totals.requests - 1)) / 7);
        const why = await runtime.why(report.session, step);
        expect(why.verified).toBe(true);
        expect(why.body).toBe(await readFile(join(dumpDir, `${String(step).padStart(6, '0')}.json`), 'utf8'));
      }
    },
    120_000,
  );

  it('gives the same report when it is run again', async () => {
    const ask = { file: join(corpora, 'broken', 'pi-ids-and-tail.jsonl'), window: 8_000 };
    const timeless = (reports: Awaited<ReturnType<typeof replayTranscript>>): unknown =>
      reports.map((report) => ({ ...report, totals: { ...report.totals, engineMs: 0 } }));
    expect(timeless(await replayTranscript(runtime, ask))).toEqual(timeless(await replayTranscript(runtime, ask)));
  });
});
