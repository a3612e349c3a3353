import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { anyText } from '@palimpsest/testing';
import { ChunkTable } from './chunk-table.ts';
import { pack, unpack } from './codec.ts';
import { MIGRATIONS } from './schema.ts';

const opened: Sqlite.Database[] = [];

function memory(): { readonly database: Sqlite.Database; readonly chunks: ChunkTable } {
  const database = new Sqlite(':memory:');
  opened.push(database);
  for (const step of MIGRATIONS) database.exec(step);
  return { database, chunks: new ChunkTable(database) };
}

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

it('packs any text so that it comes back, and never larger', () => {
  fc.assert(
    fc.property(anyText(400), fc.nat(50), (text, times) => {
      const whole = text.repeat(times);
      const packed = pack(whole);
      expect(unpack(packed)).toBe(whole);
      expect(Buffer.byteLength(packed.body)).toBeLessThanOrEqual(Math.max(Buffer.byteLength(whole), whole.length * 2));
    }),
    { seed: 7, numRuns: 200 },
  );
});

it('gives back every range of any long text', () => {
  const { chunks } = memory();
  let owner = 0;
  fc.assert(
    fc.property(anyText(20), fc.integer({ min: 1, max: 30_000 }), fc.nat(200_000), fc.nat(90_000), (text, times, start, length) => {
      const whole = `${text}🎉`.repeat(times);
      owner += 1;
      chunks.write(owner, whole);
      expect(chunks.range(owner, start, start + length) === whole.slice(start, start + length)).toBe(true);
      expect(chunks.read(owner) === whole).toBe(true);
    }),
    { seed: 7, numRuns: 25 },
  );
});

it('cuts between characters, so that well-formed text is stored as UTF-8', () => {
  const { database, chunks } = memory();
  chunks.write(1, `a${'🎉'.repeat(100_000)}`);
  expect(database.prepare('SELECT max(codec) FROM chunks').pluck().get()).toBeLessThan(2);
});

it('stores equal pieces once', () => {
  const { database, chunks } = memory();
  const text = Array.from({ length: 40_000 }, (_, index) => String(index)).join(' ');
  chunks.write(1, text);
  const once = database.prepare('SELECT count(*) FROM chunks').pluck().get();
  chunks.write(2, text);
  expect(database.prepare('SELECT count(*) FROM chunks').pluck().get()).toBe(once);
  expect(chunks.read(2)).toBe(text);
});
