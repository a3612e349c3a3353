import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft, Entry, SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { piFile } from '../../test/pi-file.ts';
import { exportStored, forkSession, importTranscript, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
let [file, own] = ['', ''];
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model });
  file = await piFile(bench.folder, 'one.jsonl', 3);
  own = join(bench.folder, 'own.jsonl');
  const other = await bench.runtime();
  await importTranscript(other, { file, as: 'own' });
  await writeFile(own, await exported(other, 'own'));
  await importTranscript(runtime, { file, as: 'whole' });
}, 90_000);
afterAll(async () => {
  await bench.close();
});

async function exported(from: HostRuntime, session: string): Promise<string> {
  let text = '';
  for await (const piece of exportStored(from, session, 'palimpsest')) text += piece;
  return text;
}

let torsos = 0;
/** What a killed process leaves: some entries, and nobody who says that this is all. */
async function torso(id: string, entries = 2): Promise<void> {
  const { leases, log } = runtime.store;
  const lease = await leases.acquire(id as SessionId, 'killed', 1_000);
  if (!('fence' in lease)) throw new Error(lease.heldBy);
  await log.begin({ id: lease.session, name: 'torso', parent: null, created: '2020-01-01T00:00:00.000Z' }, lease.fence);
  const drafts = (await entriesOf(runtime, 'whole'))
    .slice(0, entries)
    .map((entry): Draft => ({ ...entry, id: `torso-${String((torsos += 1))}` as Entry['id'] }));
  await log.append({ session: lease.session, leaf: null, fence: lease.fence, entries: drafts });
  await leases.release(lease);
}

/** What was said, without names and times. */
async function content(session: string): Promise<readonly unknown[]> {
  return (await entriesOf(runtime, session)).map((entry) => [
    entry.seq,
    entry.depth,
    entry.kind,
    entry.kind === 'message' ? [entry.origin, entry.message, entry.source] : null,
  ]);
}
const state = async (id: string): Promise<unknown> => (await runtime.store.log.session(id as SessionId))?.filling;

describe.each([
  ['an import under a name', 'named', () => importTranscript(runtime, { file, as: 'named' })],
  ['an import of our own export', 'own', () => importTranscript(runtime, { file: own })],
  ['our own export under another name', 'renamed', () => importTranscript(runtime, { file: own, as: 'renamed' })],
  ['a fork', 'forked', () => forkSession(runtime, { session: 'whole', as: 'forked' })],
])('%s that was killed', (_name, id, again) => {
  it('is there as begun, and starts afresh when it is run again; once it is whole it stays', async () => {
    for (const entries of [0, 2, 1_000]) {
      await runtime.store.log.drop(id as SessionId, null);
      await torso(id, entries);
      expect(await state(id)).toBe('begun');
      await again();
      expect(await state(id)).toBe('done');
      expect(await content(id)).toEqual(await content('whole'));
      expect(await runtime.store.log.session(id as SessionId)).not.toMatchObject({ name: 'torso' });
    }
    await expect(again()).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect(await content(id)).toEqual(await content('whole'));
    if (id === 'own') expect(await exported(runtime, id)).toBe(await readFile(own, 'utf8'));
  });

  it('is not taken from a process that still runs, nor from somebody who went on with it', async () => {
    await runtime.store.log.drop(id as SessionId, null);
    await torso(id);
    const running = await runtime.store.leases.acquire(id as SessionId, 'another process', 60_000);
    await expect(again()).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect(await state(id)).toBe('begun');
    if ('fence' in running) await runtime.store.leases.release(running);
    const session = await runtime.openSession({ id });
    expect(runtime.notices.at(-1)).toMatch(new RegExp(`^session ${id} is unfinished`, 'u'));
    model.says({ text: 'I go on.' });
    await session.send('Go on').result;
    await session.close();
    const kept = await content(id);
    expect(await state(id)).toBeNull();
    await expect(again()).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect(await content(id)).toEqual(kept);
  });
});

describe.each([
  ['an import', () => importTranscript(runtime, { file }).then(([one]) => one?.session ?? '')],
  ['a replay', () => replayTranscript(runtime, { file, window: 16_000 }).then(([one]) => one?.session ?? '')],
])('%s under a name of its own', (_name, run) => {
  it('is done, starts afresh over a torso, and keeps whatever somebody wrote to it', async () => {
    const id = await run();
    expect(await state(id)).toBe('done');
    const whole = await content(id);
    await runtime.store.log.drop(id as SessionId, null);
    await torso(id);
    expect(await run()).toBe(id);
    expect(await run()).toBe(id);
    expect(await content(id)).toEqual(whole);
    expect(await state(id)).toBe('done');
    await runtime.store.log.moveLeaf(id as SessionId, (await entriesOf(runtime, id))[1]?.id ?? null, null);
    await expect(run()).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    expect((await runtime.store.log.session(id as SessionId))?.entries).toBe(whole.length);
  });
});
