import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createRuntime, listSessions, showSession } from '@palimpsest/runtime';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

/** `npm run soak`: many moments; `npm test`: enough to see what breaks at once. */
const soak = inject('soak');

interface Kept {
  readonly id: string;
  readonly entries: number;
  readonly filling: string | null;
}

/** The file is sound, and every session in it is a whole chain of whole entries from its root to its leaf. */
async function expectWhole(place: Place): Promise<readonly Kept[]> {
  if (!existsSync(place.database)) return [];
  const database = new DatabaseSync(place.database);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  const runtime = await createRuntime({ config: { store: { path: place.database } }, projectDir: place.folder });
  try {
    const sessions = await listSessions(runtime, 100);
    for (const { id } of sessions) {
      const { record, entries } = await showSession(runtime, id, 100_000);
      expect(entries).toHaveLength(record.entries);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
      expect(entries.map(({ parent }) => parent)).toEqual(
        [null, ...entries.slice(0, -1).map((entry) => entry.id)].slice(0, entries.length),
      );
      expect(entries.at(-1)?.id ?? null).toBe(record.leaf);
    }
    return sessions.map(({ id, entries, filling }) => ({ id, entries, filling }));
  } finally {
    await runtime.close();
  }
}

describe.each([
  ['a replay', ['replay', '--window', '16000'], soak ? [0, 50, 100, 300, 600] : [100]],
  ['an import', ['sessions', 'import'], soak ? [0, 10, 20, 40, 80] : [10]],
])('%s killed at any moment', (_name, words, moments) => {
  /** Its own, so that each begins by making the database. */
  let place: Place;
  let file: string;
  beforeAll(async () => {
    place = await Place.open();
    file = place.path('session.jsonl');
    await writePiFile(file, { turns: 80, resultCharacters: 3_000 });
  });
  afterAll(async () => {
    await place.close();
  });

  it('leaves whole entries, and runs again as if nothing had happened', async () => {
    const args = [...words, file];
    const grown: number[] = [];
    let torsos = 0;
    for (const moment of moments) {
      const before = rowsAt(place);
      const { child, finished } = place.start(...args);
      while (rowsAt(place) === before && child.exitCode === null) await pause(1);
      await pause(moment);
      child.kill('SIGKILL');
      await finished;
      const sessions = await expectWhole(place);
      grown.push(sessions.reduce((sum, { entries }) => sum + entries, 0));
      if (sessions.some(({ filling }) => filling === 'begun')) torsos += 1;
    }
    expect(torsos).toBeGreaterThan(0);
    const first = await place.json<object>(...args);
    const again = await place.json<object>(...args);
    expect({ ...again, ...volatile }).toEqual({ ...first, ...volatile });
    const sessions = await expectWhole(place);
    expect(Math.max(...grown)).toBeLessThanOrEqual(sessions.reduce((sum, { entries }) => sum + entries, 0));
    expect(sessions.length).toBeGreaterThan(0);
    const replayed = sessions.find(({ id }) => id.startsWith('replay-'));
    for (const step of replayed === undefined ? [] : ['1', '160'])
      expect(await place.json('why', replayed?.id ?? '', step)).toMatchObject({ verified: true, index: Number(step) });
  });
});

/** Measured times differ from run to run. */
const volatile = { totals: null };

/** Waits until so many entries are in the file; false: the process ended before that. */
async function reached(at: Place, entries: number, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null) {
    if (existsSync(at.database) && rowsIn(at.database) >= entries) return true;
    await pause(1);
  }
  return false;
}

const rowsAt = (at: Place): number => (existsSync(at.database) ? rowsIn(at.database) : -1);

/** A file that is only being made counts as nothing. */
function rowsIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare('SELECT count(*) AS sessions, coalesce(sum(last_seq), 0) AS entries FROM sessions').get();
    return row?.['sessions'] === 0 ? -1 : Number(row?.['entries']);
  } catch {
    return -1;
  } finally {
    database.close();
  }
}

/** Everything of a session but what is fresh in each copy: ids and times. */
async function exported(at: Place, session: string): Promise<string> {
  const { stdout, code, stderr } = await at.run('sessions', 'export', session);
  expect([code, stderr]).toEqual([0, '']);
  const ids = [...stdout.matchAll(/^\{"id":"([^"]+)"/gmu)].map(([, id]) => id ?? '');
  const numbered = new Map(ids.map((id, index) => [id, `entry ${String(index)}`]));
  return stdout
    .replace(/"(?:time|created)":"[^"]*"/gu, '')
    .replace(/"([^"]{8,64})"/gu, (whole, id: string) => (numbered.has(id) ? `"${numbered.get(id) ?? ''}"` : whole));
}

describe('an import under a name that is kept', () => {
  const places: Place[] = [];
  const fresh = async (): Promise<Place> => {
    const made = await Place.open();
    places.push(made);
    return made;
  };
  let [long, own] = ['', ''];
  beforeAll(async () => {
    const source = await fresh();
    [long, own] = [source.path('long.jsonl'), source.path('own.jsonl')];
    await writePiFile(long, { turns: 240, resultCharacters: 2_000 });
    await source.json('sessions', 'import', long, '--as', 'lived');
    await source.json('sessions', 'export', 'lived', '-o', own);
  });
  afterAll(async () => {
    for (const one of places) await one.close();
  });

  const ways: readonly (readonly [string, string, () => readonly string[]])[] = [
    ["of another tool's file, with --as", 'work', () => [long, '--as', 'work']],
    ['of our own export', 'lived', () => [own]],
    ['of our own export, with --as', 'copy', () => [own, '--as', 'copy']],
  ];
  it.each(soak ? ways : ways.slice(0, 1))(
    '%s, killed at any moment, is run again and gives what it gives when nobody kills it',
    async (_name, id, words) => {
      const [calm, hard] = [await fresh(), await fresh()];
      await calm.json('sessions', 'import', ...words());
      let torsos = 0;
      for (const entries of soak ? [0, 1, 100, 450, 800] : [450]) {
        const { child, finished } = hard.start('sessions', 'import', ...words());
        const isCut = await reached(hard, entries, child);
        child.kill('SIGKILL');
        await finished;
        const sessions = await expectWhole(hard);
        expect(sessions.map((session) => [session.id, session.filling])).toEqual(sessions.length === 0 ? [] : [[id, 'begun']]);
        if (isCut && sessions.length > 0) torsos += 1;
      }
      expect(torsos).toBeGreaterThan(soak ? 1 : 0);
      expect((await hard.run('sessions', 'list')).stdout).toContain('(unfinished)');
      expect(await hard.json<readonly object[]>('doctor')).toContainEqual(
        expect.objectContaining({ what: 'sessions', status: 'warn', found: expect.stringContaining(id) as string }),
      );
      await hard.json('sessions', 'import', ...words());
      expect(await exported(hard, id)).toBe(await exported(calm, id));
      if (id === 'lived') expect((await hard.run('sessions', 'export', id)).stdout).toBe(await readFile(own, 'utf8'));
      expect(await expectWhole(hard)).toMatchObject([{ id, filling: 'done' }]);
      expect(await hard.run('sessions', 'import', ...words())).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^SESSION_EXISTS: /u) as string,
      });
    },
  );

  it('is not stolen while its process runs', async () => {
    const hard = await fresh();
    const { child, finished } = hard.start('sessions', 'import', long, '--as', 'work');
    expect(await reached(hard, 1, child)).toBe(true);
    child.kill('SIGSTOP');
    expect(await hard.run('sessions', 'import', long, '--as', 'work')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SESSION_BUSY: /u) as string,
    });
    child.kill('SIGCONT');
    expect(await finished).toMatchObject({ code: 0 });
    expect(await expectWhole(hard)).toMatchObject([{ id: 'work', filling: 'done' }]);
  });
});
