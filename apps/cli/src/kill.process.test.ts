import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime, listSessions, showSession } from '@palimpsest/runtime';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

let place: Place;
let file: string;
beforeAll(async () => {
  place = await Place.open();
  file = place.path('session.jsonl');
  await writePiFile(file, { turns: 80, resultCharacters: 3_000 });
});
afterAll(async () => { await place.close(); });

interface Kept { readonly id: string; readonly entries: number }

/** The file is sound, and every session in it is a whole chain of whole entries from its root to its leaf. */
async function expectWhole(): Promise<readonly Kept[]> {
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
      expect(entries.map(({ parent }) => parent)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)].slice(0, entries.length));
      expect(entries.at(-1)?.id ?? null).toBe(record.leaf);
    }
    return sessions.map(({ id, entries }) => ({ id, entries }));
  } finally {
    await runtime.close();
  }
}

describe.each([
  ['a replay', ['replay', '--window', '16000'], [0, 150, 500, 1_200]],
  ['an import', ['sessions', 'import'], [0, 40, 120, 300]],
])('%s killed at any moment', (_name, words, moments) => {
  it('leaves whole entries, and runs again as if nothing had happened', async () => {
    const args = [...words, file];
    const grown: number[] = [];
    for (const moment of moments) {
      const { child, finished } = place.start(...args);
      while (!existsSync(place.database) && child.exitCode === null) await pause(5);
      await pause(moment);
      child.kill('SIGKILL');
      await finished;
      const sessions = await expectWhole();
      grown.push(sessions.reduce((sum, { entries }) => sum + entries, 0));
    }
    const first = await place.json<object>(...args);
    const again = await place.json<object>(...args);
    expect({ ...again, ...volatile }).toEqual({ ...first, ...volatile });
    const sessions = await expectWhole();
    expect(Math.max(...grown)).toBeLessThanOrEqual(sessions.reduce((sum, { entries }) => sum + entries, 0));
    expect(sessions.length).toBeGreaterThan(0);
  });
});

/** Measured times differ from run to run. */
const volatile = { totals: null };

it('rebuilds every request of the replayed session after all of that', async () => {
  const [replayed] = (await place.json<readonly Kept[]>('sessions', 'list')).filter(({ id }) => id.startsWith('replay-'));
  for (const step of ['1', '160']) expect(await place.json('why', replayed?.id ?? '', step)).toMatchObject({ verified: true, index: Number(step) });
});
