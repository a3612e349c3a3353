import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import { formatNames, importTranscript, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime();
});
afterAll(async () => {
  await bench.close();
});

/** JSON, and nothing of any format. */
const bodies: readonly string[] = [
  '[1,2,3]',
  '{}',
  '"x"',
  'null',
  '[]',
  '7',
  'true',
  '[[],[]]',
  '[{}]',
  '[null]',
  '{"a":1}',
  '[{"a":1}]',
  '{"messages":[1,2]}',
  '{"messages":{}}',
  '{"messages":null}',
  '{"items":[1]}',
  '{"input":[null]}',
  '{"session":{}}',
  '{"history":[3]}',
  '{"conversation":[null]}',
  '[{"traj":[1]}]',
  '{}\n{}\n',
  '1\n2\n',
  '{"type":"x"}',
  '[{"type":"x"}]',
  '[{"role":"poet","content":"x"}]',
  '\uFEFF[]',
  '\uFEFF{}',
];

describe.each([undefined, ...formatNames])('as %s', (format) => {
  it('refuses JSON that is nothing of it, with what was seen and the next step', async () => {
    const file = join(bench.folder, `strange-${format ?? 'any'}`);
    const ask = { file, ...(format === undefined ? {} : { format }) };
    for (const body of bodies) {
      for (const content of [body, gzipSync(body)]) {
        await writeFile(file, content);
        const refusal = { body, code: 'TRANSCRIPT_UNKNOWN_FORMAT', kind: 'config', asked: format ?? null, hasHint: true };
        expect(await refused(body, () => importTranscript(runtime, ask))).toEqual(refusal);
        expect(await refused(body, () => replayTranscript(runtime, { ...ask, window: 16_000 }))).toEqual(refusal);
      }
    }
    expect(await runtime.store.log.sessions({ limit: 1 })).toEqual([]);
  });
});

/** How it was refused; the answer where it was not. */
async function refused(body: string, work: () => Promise<unknown>): Promise<unknown> {
  const thrown = await work().catch((error: unknown) => error);
  if (!(thrown instanceof Error) || !('code' in thrown)) return { body, thrown };
  const { code, kind, details, hint } = thrown as Error & {
    code: string;
    kind: string;
    details: { asked?: string | null };
    hint: string | null;
  };
  return { body, code, kind, asked: details.asked, hasHint: hint !== null };
}
