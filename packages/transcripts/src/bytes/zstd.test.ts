import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { Scratch } from '../../test/reading.ts';
import { decode } from './decode.ts';
import { takeSnapshot } from './snapshot.ts';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
async function decoded(bytes: Uint8Array): Promise<{ text: string; notes: string[]; raw: number }> {
  const notes: string[] = [];
  const chunks: Buffer[] = [];
  let raw = 0;
  const snapshot = await takeSnapshot(scratch.write(bytes));
  for await (const chunk of decode(snapshot, 0, { onNote: (note) => notes.push(note), onRaw: (chunk) => (raw += chunk.length) }))
    chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString('latin1'), notes, raw };
}
/** Text that does not compress well, the same in every run. */
const noise = Array.from({ length: 18_750 }, (_, at) => createHash('sha256').update(String(at)).digest('hex')).join('');

it('reads several frames as one text', async () => {
  const bytes = Buffer.concat([zstdCompressSync('one\n'), zstdCompressSync('two\n')]);
  expect(await decoded(bytes)).toEqual({ text: 'one\ntwo\n', notes: [], raw: bytes.length });
});

/** Node 22's zlib ends a cut frame as if it were whole: there the text is read as far as it goes, and a torn line says the rest. */
const tellsEarlyEnd = Number(process.versions.node.split('.')[0]) >= 24;

it('reads a frame that ends early as far as it goes', async () => {
  const bytes = zstdCompressSync(noise);
  const { text, notes, raw } = await decoded(bytes.subarray(0, bytes.length - 100));
  expect(notes).toEqual(tellsEarlyEnd ? ['zstd-ended-early'] : []);
  expect(text.length).toBeGreaterThan(500_000);
  expect(noise.startsWith(text)).toBe(true);
  expect(raw).toBe(bytes.length - 100);
});

it('reads a damaged frame as far as it goes, and says so', async () => {
  const bytes = zstdCompressSync(noise);
  bytes.fill(0xff, 400_000, 400_100);
  const { text, notes, raw } = await decoded(bytes);
  expect(notes).toEqual(['zstd-damaged']);
  expect(noise.startsWith(text.slice(0, 100_000))).toBe(true);
  expect(raw).toBe(bytes.length);
});

it('says that something stands behind the last frame', async () => {
  const { text, notes } = await decoded(Buffer.concat([zstdCompressSync('one\n'), Buffer.from('garbage')]));
  expect([text, notes]).toEqual(['one\n', ['zstd-trailing-bytes']]);
});
