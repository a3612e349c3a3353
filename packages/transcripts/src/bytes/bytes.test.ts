import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { Scratch } from '../../test/reading.ts';
import { decode } from './decode.ts';
import { lines } from './lines.ts';
import { checkUnchanged, takeSnapshot } from './snapshot.ts';
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
const long = Array.from({ length: 5000 }, (_, at) => `line ${String(at)} ${'x'.repeat(at % 97)}`).join('\n');

async function decoded(bytes: Uint8Array, from = 0): Promise<{ text: string; notes: string[]; hash: string }> {
  const notes: string[] = [];
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  const hooks = {
    onNote: (reason: string) => {
      notes.push(reason);
    },
    onRaw: (chunk: Buffer) => {
      hash.update(chunk);
    },
  };
  for await (const chunk of decode(await takeSnapshot(scratch.write(bytes)), from, hooks)) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), notes, hash: hash.digest('hex') };
}
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('decoding', () => {
  it('reads plain and gzipped text, one or several members, from any position', async () => {
    const members = Buffer.concat([gzipSync(long.slice(0, 1000)), gzipSync(long.slice(1000))]);
    for (const bytes of [Buffer.from(long), gzipSync(long), members]) {
      expect(await decoded(bytes)).toEqual({ text: long, notes: [], hash: sha(bytes) });
      expect((await decoded(bytes, 777)).text).toBe(long.slice(777));
    }
  });

  it('hands out all that a cut or damaged gzip file still gives, says so, and hashes the whole file', async () => {
    const packed = gzipSync(long);
    const cut = packed.subarray(0, packed.length >> 1);
    const early = await decoded(cut);
    expect(early).toMatchObject({ notes: ['gzip-ended-early'], hash: sha(cut) });
    expect(early.text.length).toBeGreaterThan(long.length / 4);
    expect(long.startsWith(early.text)).toBe(true);
    const damaged = Buffer.from(packed);
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 255;
    expect(await decoded(damaged)).toEqual({ text: long, notes: ['gzip-damaged'], hash: sha(damaged) });
    for (const junk of ['junk', 'junk'.repeat(40)]) {
      expect(await decoded(Buffer.concat([packed, Buffer.from(junk)]))).toMatchObject({
        text: long,
        notes: [expect.stringMatching(/^gzip-(damaged|trailing-bytes)$/u) as string],
      });
    }
  });

  it('gives a reader that takes its time no less of a cut or damaged file', async () => {
    const noise = Array.from({ length: inject('soak') ? 6000 : 2500 }, (_, at) => sha(Buffer.from(String(at)))).join('');
    const packed = gzipSync(noise);
    const damaged = Buffer.from(packed);
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 255;
    for (const bytes of [
      packed.subarray(0, Math.floor(packed.length * 0.7)),
      packed.subarray(0, -8),
      damaged,
      zstdCompressSync(noise).subarray(0, -9),
    ]) {
      const snapshot = await takeSnapshot(scratch.write(bytes));
      const lengths: number[] = [];
      for (const pauseMs of [null, 0, 3]) {
        let [length, chunks] = [0, 0];
        for await (const chunk of decode(snapshot)) {
          length += chunk.length;
          chunks += 1;
          if (pauseMs === 0 || (pauseMs !== null && chunks % 40 === 1)) await pause(pauseMs);
        }
        lengths.push(length);
      }
      expect(lengths).toEqual(lengths.map(() => lengths[0]));
      expect(lengths[0]).toBeGreaterThan(noise.length / 2);
    }
  });

  it('reads the file as it was when opened, and refuses one that was rewritten', async () => {
    const file = scratch.write('one\n');
    const snapshot = await takeSnapshot(file);
    appendFileSync(file, 'two\n');
    await checkUnchanged(snapshot);
    const chunks: Buffer[] = [];
    for await (const chunk of decode(snapshot)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('one\n');
    truncateSync(file, 1);
    await expect(checkUnchanged(snapshot)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
    writeFileSync(`${file}.new`, 'other text');
    renameSync(`${file}.new`, file);
    await expect(checkUnchanged(snapshot)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
  });
});

describe('lines', () => {
  it('splits at line feeds only and skips over-long ones by number', async () => {
    const whole = Buffer.from(`a\u2028b\r\n\n${'y'.repeat(50)}\nlast`);
    for (let size = 1; size < 20; size++) {
      const chunks = async function* (): AsyncGenerator<Buffer> {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      };
      const found: unknown[] = [];
      for await (const batch of lines(chunks(), 10))
        found.push(...batch.map(({ number, bytes, start, length }) => [number, bytes?.toString() ?? null, start, length]));
      expect(found).toEqual([
        [1, 'a\u2028b', 0, 6],
        [2, '', 7, 0],
        [3, null, 8, 50],
        [4, 'last', 59, 4],
      ]);
    }
  });
});
