import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { badFiles, noise } from '@palimpsest/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Place, type Finished } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

const MEBIBYTE = 1024 * 1024;
const MOST_BYTES = 512 * MEBIBYTE;
let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(async () => {
  await place.close();
});

/** A process each: a few stand for all. */
const bad = badFiles.filter(([name]) => ['empty', 'random', 'numbers', 'torn', 'deep'].includes(name));

function expectRefusal({ code, signal, stdout, stderr }: Finished): void {
  expect(signal).toBeNull();
  expect([1, 2]).toContain(code);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[A-Z]+(_[A-Z]+)+: .+/u);
  expect(stderr).not.toMatch(/^UNEXPECTED|\n\s+at |node:internal|ExperimentalWarning/u);
  expect(stderr.split('\n').length).toBeLessThan(6);
}

/** Both read with the same code: `sessions import` is tried in the long run. */
describe.each(inject('soak') ? ['replay', 'sessions import'] : ['replay'])('%s', (command) => {
  const words = command.split(' ');

  it('refuses files that are empty, random, a list of numbers, torn or nested without end', async () => {
    for (const [name, content] of bad) {
      await writeFile(place.path(`bad-${name}`), content);
      expectRefusal(await place.run(...words, place.path(`bad-${name}`)));
    }
  });

  it("refuses a folder, a missing file, an unknown format and a broken configuration as the user's mistake", async () => {
    await writePiFile(place.path('good.jsonl'), { turns: 1 });
    await writeFile(place.path('broken.yaml'), 'context: [');
    await mkdir(place.path('folder'), { recursive: true });
    for (const args of [
      [place.path('folder')],
      [place.path('good.jsonl'), '--format', 'nonsense'],
      [place.path('good.jsonl'), '--config', place.path('broken.yaml')],
    ]) {
      const finished = await place.run(...words, ...args);
      expectRefusal(finished);
      expect(finished.code).toBe(2);
    }
  });

  it('refuses JSON that is nothing of the format that is named', async () => {
    await writeFile(place.path('numbers.json'), '[1,2,3]');
    await writeFile(place.path('object.json'), '{}');
    for (const [name, format] of [
      ['numbers.json', 'openai-chat'],
      ['numbers.json', 'gemini-cli'],
      ['object.json', 'pi'],
      ['object.json', 'palimpsest'],
    ] as const) {
      const finished = await place.run(...words, place.path(name), '--format', format);
      expectRefusal(finished);
      expect(finished.code).toBe(2);
      expect(finished.stderr).toContain(`no session file of format ${format}`);
    }
  });

  it('says the same as JSON when asked', async () => {
    const { code, stdout, stderr } = await place.run(...words, place.path('no-such-file'), '--json');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^TRANSCRIPT_UNREADABLE: .*\n {2}\S.*\n$/u)]);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'TRANSCRIPT_UNREADABLE', kind: 'config', retryable: false, hint: expect.any(String) as string },
    });
  });
});

it('leaves nothing in the store after all of that', async () => {
  expect(await place.json('sessions', 'list')).toEqual([]);
});

it('refuses options that make no sense and keeps what an earlier replay left', async () => {
  await writePiFile(place.path('good.jsonl'), { turns: 1 });
  const before = await place.json<{ session: string }>('replay', place.path('good.jsonl'));
  for (const options of [
    ['--window', '-5'],
    ['--wire', 'telegraph'],
    ['--dump-requests', 'good.jsonl'],
    ['--probes', 'good.jsonl'],
    ['--nonsense'],
  ]) {
    const { code, stderr } = await place.run('replay', place.path('good.jsonl'), ...options);
    expect([options, code]).toEqual([options, 2]);
    expect(stderr).not.toContain('    at ');
  }
  expect(await place.json('sessions', 'show', before.session)).toMatchObject({ record: { entries: 8 } });
});

it('says in two lines what is mistyped, and as JSON when asked', async () => {
  expect(await place.run('sesions')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: "USAGE_INVALID: unknown command 'sesions'\n  Did you mean sessions? See palimpsest --help\n",
  });
  expect(await place.run('sessions', 'lsit')).toMatchObject({
    code: 2,
    stderr: "USAGE_INVALID: unknown command 'lsit'\n  Did you mean list? See palimpsest --help\n",
  });
  expect(await place.run('replay')).toMatchObject({
    code: 2,
    stderr: "USAGE_INVALID: missing required argument 'transcript'\n  See palimpsest --help\n",
  });
  const { code, stdout } = await place.run('sessions', 'list', '--limt', '3', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'USAGE_INVALID', message: "unknown option '--limt'", hint: 'Did you mean --limit? See palimpsest --help' },
  });
});

it('refuses unknown commands, sessions and steps', async () => {
  for (const args of [
    ['nonsense'],
    ['sessions', 'show', 'nobody'],
    ['why', 'nobody'],
    ['why', 'a\u0001b'],
    ['why', 'nobody', '1e99'],
    ['engine', 'check', '.', '--seed', 'abc'],
    ['run', ''],
    ['run', ' \u200b\n'],
    ['sessions', 'list', '--limit', 'x'],
    ['run', 'hi'],
    ['config', 'check', 'no-such.yaml'],
  ]) {
    const finished = await place.run(...args);
    expect([args, finished.code]).toEqual([args, 2]);
    expect(finished.stderr).not.toMatch(/UNEXPECTED| {4}at /u);
    expect(finished.stderr).not.toBe('');
  }
});

it("refuses a store that is a folder, another program's database or no database", async () => {
  await mkdir(place.path('is-a-folder.db'), { recursive: true });
  await writeFile(place.path('is-text.db'), 'not a database, whatever its name says'.repeat(100));
  for (const name of ['is-a-folder.db', 'is-text.db']) {
    await writeFile(place.path('store.yaml'), `store:\n  path: ${name}\n`);
    const finished = await place.run('sessions', 'list', '--config', place.path('store.yaml'));
    expectRefusal(finished);
    expect(finished.stderr).toContain('STORE_OPEN_FAILED');
  }
  expect(await readFile(place.path('is-text.db'), 'utf8')).toContain('whatever its name says');
});

describe('300 MB', () => {
  async function write(name: string, pieces: () => Iterable<Buffer | string>): Promise<string> {
    const file = place.path(name);
    const out = createWriteStream(file);
    for (const piece of pieces()) if (!out.write(piece)) await once(out, 'drain');
    out.end();
    await once(out, 'finish');
    return file;
  }

  const chunk = Buffer.from(noise(3 * MEBIBYTE));
  const printable = Buffer.from(chunk.toString('base64').slice(0, 3 * MEBIBYTE));
  const large: readonly (readonly [string, number, () => Iterable<Buffer | string>])[] = [
    ['of random bytes', 2, () => repeated(100, chunk)],
    ['of one line without a record', 2, () => repeated(100, printable)],
    ['of one JSON string that never ends', 2, () => opened('{"type":"session","id":"', printable)],
    ['of one list of numbers', 2, () => opened('[1', Buffer.from(',1'.repeat(1.5 * MEBIBYTE)))],
  ];

  function* repeated(times: number, piece: Buffer): Iterable<Buffer> {
    for (let time = 0; time < times; time += 1) yield piece;
  }
  function* opened(begin: string, piece: Buffer): Iterable<Buffer | string> {
    yield begin;
    yield* repeated(100, piece);
  }

  it.each(inject('soak') ? large : large.slice(0, 1))('%s is refused in little memory', async (_name, _code, pieces) => {
    const file = await write('large', pieces);
    const finished = await place.run('replay', file);
    await rm(file);
    expectRefusal(finished);
    expect(finished.peakBytes).toBeLessThan(MOST_BYTES);
    expect(finished.peakBytes).toBeGreaterThan(30 * MEBIBYTE);
  });

  it('of a session, a fifth of them here, are imported in little memory, every entry whole', async () => {
    const line = (value: object): string =>
      `${JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: value })}\n`;
    const text = 'the same words again and again, as in a log file /var/log/app.log:17 '.repeat(20_500);
    const file = await write('session', function* () {
      yield '{"type":"session","id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n';
      for (let turn = 0; turn < 22; turn += 1) {
        yield line({ role: 'user', content: [{ type: 'text', text: `${String(turn)} ${text}` }] });
        yield line({ role: 'assistant', content: [{ type: 'text', text: `${String(turn)} ${text}` }], stopReason: 'stop' });
      }
    });
    const finished = await place.run('sessions', 'import', file, '--json');
    await rm(file);
    expect(finished.stderr).toBe('');
    expect(JSON.parse(finished.stdout)).toMatchObject([{ entries: 45 }]);
    expect(finished.peakBytes).toBeLessThan(MOST_BYTES);
  }, 300_000);
});
