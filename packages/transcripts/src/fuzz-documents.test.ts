import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isPalimpsestError } from '@palimpsest/contracts';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { faultIn, readWhole, Scratch, type Reading } from '../test/reading.ts';
import { documents, gooseLines } from '../test/synthetic-documents.ts';
import type { FormatName, ReadOptions, TranscriptItem } from './transcript.ts';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
const SEED = { seed: 20260302 };
/** `npm run soak`: many rounds; `npm test`: enough to see what breaks at once. */
const soak = inject('soak');

/** Null: refused with a typed error. Anything else that is thrown fails the test. */
async function attempt(content: Uint8Array | string, options: ReadOptions = {}): Promise<Reading | null> {
  try {
    const reading = await readWhole(scratch.write(content), options);
    for (const session of reading.sessions) expect(faultIn(session)).toBeNull();
    return reading;
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    expect(error.code).toMatch(/^TRANSCRIPT_/u);
    return null;
  }
}
const itemsOf = (reading: Reading | null): readonly TranscriptItem[] => reading?.sessions[0]?.items ?? [];

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
/** Every place in a value. */
function places(value: Value, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, Array.isArray(value) ? Number(key) : key]))];
}
function replaced(value: Value, [step, ...rest]: readonly (string | number)[], by: Value): Value {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, at) => (at === step ? replaced(inner, rest, by) : inner));
  const object = typeof value === 'object' && value !== null ? value : {};
  return Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, key === step ? replaced(inner, rest, by) : inner]));
}
const ODD: readonly Value[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x',
  '\0json:[',
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { role: 'user' },
  { '0': 1 },
  ['a', 7],
];

describe.each(documents())('%s', (_name, format, value, key) => {
  const document = value as Value;
  const forced = { format: format as FormatName };
  const text = JSON.stringify(document, null, 1);
  const bytes = Buffer.from(text);
  const list = (key === null ? document : (document as Record<string, Value>)[key]) as Value[];
  const withList = (elements: Value[]): string => JSON.stringify(key === null ? elements : { ...(document as object), [key]: elements });

  it('is known by its content, and reads the same each time, streamed, in one line and compressed', async () => {
    const whole = await readWhole(scratch.write(text));
    expect(whole.format).toBe(format);
    expect(whole.sessions.map(faultIn)).toEqual([null]);
    const same = async (content: string | Uint8Array, options: ReadOptions = {}): Promise<void> => {
      expect((await readWhole(scratch.write(content), options)).sessions).toEqual(whole.sessions);
    };
    await same(text);
    await same(text, { documentLimitBytes: 0 });
    await same(JSON.stringify(document));
    await same(`${JSON.stringify(document)}\n`);
    await same(gzipSync(text));
  });

  it('is refused at every prefix', async () => {
    for (let end = 0; end < bytes.length; end += soak ? 101 : 499) {
      expect(await attempt(bytes.subarray(0, end))).toBeNull();
      expect(await attempt(bytes.subarray(0, end), { ...forced, documentLimitBytes: 0 })).toBeNull();
    }
  });

  it('is read or refused with one byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        await attempt(changed);
        await attempt(changed, { documentLimitBytes: 0 });
      }),
      { ...SEED, numRuns: soak ? 30 : 5 },
    );
  });

  it('is read whatever stands at any place', async () => {
    const all = places(document).filter((path) => path.length > (key === null ? 0 : 1));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.constantFrom(...ODD), async (path, odd) => {
        const changed = JSON.stringify(replaced(document, path, odd));
        await attempt(changed);
        const reading = await attempt(changed, forced);
        expect(reading?.sessions[0]?.report.records).toBe(list.length);
      }),
      { ...SEED, numRuns: soak ? 150 : 30 },
    );
  });

  it('is read with elements shuffled, doubled and removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(list.length - 1), { minLength: 1, maxLength: list.length * 2 }), async (picked) => {
        const reading = await attempt(withList(picked.map((at) => list[at] ?? null)), forced);
        expect(reading?.sessions[0]?.report.records).toBe(picked.length);
      }),
      { ...SEED, numRuns: soak ? 30 : 8 },
    );
    for (const lost of list.keys()) expect(await attempt(withList(list.filter((_, at) => at !== lost)), forced)).not.toBeNull();
  });

  it('skips elements above the limit by their index', async () => {
    for (const lineLimitBytes of [1, 60, 200]) {
      const reading = await attempt(text, { ...forced, documentLimitBytes: 0, lineLimitBytes });
      expect(reading?.sessions[0]?.report.records).toBe(list.length);
    }
  });
});

describe('legacy Goose lines', () => {
  const lines = gooseLines();
  const join = (some: readonly string[]): string => some.join('\n') + '\n';

  it('are read up to a torn line at every prefix', async () => {
    const whole = Buffer.from(join(lines));
    const all = itemsOf(await attempt(whole));
    expect(all.length).toBeGreaterThan(5);
    for (let end = whole.indexOf('\n') + 200; end < whole.length; end += 23) expect(await attempt(whole.subarray(0, end))).not.toBeNull();
  });

  it('survive lines that are shuffled, doubled, removed and cut', async () => {
    const whole = Buffer.from(join(lines));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(lines.length - 1), { maxLength: 16 }),
        fc.nat(whole.length),
        fc.nat(whole.length),
        async (picked, end, start) => {
          await attempt(join(picked.map((at) => lines[at] ?? '')), { format: 'goose' });
          await attempt(Buffer.concat([whole.subarray(0, end), whole.subarray(start)]));
        },
      ),
      { ...SEED, numRuns: soak ? 150 : 25 },
    );
  });
});
