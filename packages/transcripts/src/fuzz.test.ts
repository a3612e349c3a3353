import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { isPalimpsestError } from '@palimpsest/contracts';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { faultIn, readWhole, Scratch, type Reading } from '../test/reading.ts';
import { codexLines } from '../test/codex-records.ts';
import { geminiDocument, geminiLines } from '../test/gemini-records.ts';
import { ownLines } from '../test/own-sessions.ts';
import { chatDocument, claudeLines, piLines } from '../test/synthetic.ts';
import type { ReadOptions, TranscriptItem } from './transcript.ts';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
const SEED = { seed: 20260302 };
/** `npm run soak`: many rounds; `npm test`: enough to see what breaks at once. */
const soak = inject('soak');
const RUNS = soak ? 150 : 25;
const jsonl: readonly (readonly [string, readonly string[]])[] = [
  ['pi', piLines()],
  ['claude-code', claudeLines()],
  ['codex', codexLines()],
  ['gemini-cli', geminiLines()],
  ['palimpsest', ownLines()],
];
const files: readonly (readonly [string, Buffer])[] = [
  ...jsonl.map(([name, lines]) => [name, Buffer.from(lines.join('\n') + '\n')] as const),
  ['openai-chat', Buffer.from(chatDocument())],
  ['gemini-cli document', Buffer.from(geminiDocument())],
];

/** Null: refused with a typed error. Anything else that is thrown fails the test. */
async function attempt(bytes: Uint8Array | string, options: ReadOptions = {}): Promise<Reading | null> {
  const file = scratch.write(bytes);
  try {
    const first = await readWhole(file, options);
    for (const session of first.sessions) expect(faultIn(session)).toBeNull();
    return first;
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    expect(error.code).toMatch(/^TRANSCRIPT_/u);
    return null;
  }
}
const itemsOf = (reading: Reading | null): readonly TranscriptItem[] => reading?.sessions[0]?.items ?? [];

describe.each(files)('%s, damaged', (_name, whole) => {
  it('is read or refused at every prefix', async () => {
    for (let end = 0; end < whole.length; end += soak ? 23 : 97) await attempt(whole.subarray(0, end));
  });

  it('is read or refused with one byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        await attempt(changed);
      }),
      { ...SEED, numRuns: RUNS },
    );
  });

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('is read or refused as a damaged %s file', async (_packing, pack) => {
    const packed = pack(whole);
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const changed = Buffer.from(packed.subarray(0, cut ? at : packed.length));
        if (!cut) changed[at] = byte;
        await attempt(changed);
      }),
      { ...SEED, numRuns: soak ? 30 : 4 },
    );
  });

  it('gives the same answer twice, and with a small line limit', async () => {
    const file = scratch.write(whole);
    expect(await readWhole(file)).toEqual(await readWhole(file));
    for (const lineLimitBytes of [1, 100, 300]) await attempt(whole, { lineLimitBytes, documentLimitBytes: 0 });
  });
});

describe.each(jsonl)('%s, rearranged', (name, lines) => {
  const join = (some: readonly string[]): string => some.join('\n') + '\n';

  it('survives lines that are shuffled, doubled and removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(lines.length - 1), { maxLength: lines.length * 2 }), fc.boolean(), async (picked, tree) => {
        await attempt(join(picked.map((at) => lines[at] ?? '')), { tree });
      }),
      { ...SEED, numRuns: RUNS },
    );
  });

  it('survives the loss of each line', async () => {
    for (const lost of lines.keys()) expect(await attempt(join(lines.filter((_, at) => at !== lost)))).not.toBeNull();
  });

  it('reads each line twice and says so', async () => {
    const once = itemsOf(await attempt(join(lines)));
    for (const twice of lines.keys()) {
      const doubled = await attempt(join(lines.flatMap((line, at) => (at === twice ? [line, line] : [line]))));
      const session = doubled?.sessions.at(-1);
      if (/"uuid"|"parentId"/u.test(lines[twice] ?? '')) {
        expect(session?.report.skipped.map((one) => one.reason)).toContain(
          /"progress"/u.test(lines[twice] ?? '') ? 'progress' : 'duplicate',
        );
        expect(session?.items.length).toBe(once.length);
      }
    }
  });

  it('survives cuts and joins anywhere', async () => {
    const whole = Buffer.from(join(lines));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.nat(whole.length),
        fc.constantFrom('', '\n', '\0\0\0', '\r\n', '}', '"'),
        async (end, start, glue) => {
          await attempt(Buffer.concat([whole.subarray(0, end), Buffer.from(glue), whole.subarray(start)]));
        },
      ),
      { ...SEED, numRuns: RUNS },
    );
  });

  it('joins with another file', async () => {
    for (const [, other] of jsonl) expect(await attempt(join(lines) + join(other))).not.toBeNull();
  });

  it(`reads a prefix of lines as a prefix of the whole, up to the last open message${name === 'claude-code' ? ' and queued text' : ''}`, async () => {
    const whole = itemsOf(await attempt(join(lines)));
    for (let count = 1; count <= lines.length; count++) {
      const part = itemsOf(await attempt(join(lines.slice(0, count))));
      const same = part.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(whole[at]));
      if (same === -1) continue;
      const tail = part.slice(same);
      expect(tail.some((item) => (item.kind === 'assistant' && item.line <= count) || (item.kind === 'result' && item.made))).toBe(true);
    }
  });
});

describe('a chat document', () => {
  it('reads the same parsed whole and streamed', async () => {
    const file = scratch.write(chatDocument());
    expect(await readWhole(file, { documentLimitBytes: 0 })).toEqual(await readWhole(file));
  });
});
