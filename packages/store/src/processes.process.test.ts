import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Entry, Store } from '@palimpsest/contracts';
import { entryIdOf, ManualClock, SeededIds, sessionIdOf } from '@palimpsest/testing';
import { openStore } from './open-store.ts';

const S = sessionIdOf('s');
/** `npm run soak`: many; `npm test`: enough to see what breaks at once. */
const ROUNDS = inject('soak') ? 12 : 3;
/** Starting a process a dozen times takes long on a machine that has other things to do. */
const ROUNDS_TIMEOUT_MS = 600_000;
const PER_APPEND = 3;
const APPENDS_EACH = 40;

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  file = join(folder, 'store.db');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What every child begins with: the store by the real time, the session, and a way to say something at once. */
const PRELUDE = `
  import { writeSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { openStore } from ${JSON.stringify(new URL('./open-store.ts', import.meta.url).href)};
  const [file, me, count] = process.argv.slice(1);
  const say = (line) => writeSync(1, line + '\\n');
  const clock = { now: () => Date.now(), elapsed: () => performance.now(), sleep, every: () => () => {} };
  const store = await openStore({ file, durability: 'full', clock });
  await store.log.open({ id: 's', name: null, parent: null, created: '2026-01-01T00:00:00.000Z' });
  const entry = (id, text) => ({ id, time: new Date().toISOString(), turn: null, tokens: 1, kind: 'message', origin: 'user_input', message: { role: 'user', content: [{ type: 'text', text }] } });
`;

/** Appends without an end; every fifth append is too large for one row. Says how many appends were acknowledged. */
const ENDLESS = `${PRELUDE}
  const { leaf, entries } = await store.log.session('s');
  let last = leaf;
  for (let n = entries / ${String(PER_APPEND)}; ; n += 1) {
    const drafts = Array.from({ length: ${String(PER_APPEND)} }, (_, index) => entry('e' + n + '.' + index, 'words of ' + n + (n % 5 === 0 && index === 1 ? ' long'.repeat(70000) : '')));
    await store.log.append({ session: 's', leaf: last, fence: null, entries: drafts, artifacts: [{ id: 'a' + n, kind: 'offload', session: 's', body: 'body ' + n, source: null, madeBy: null, tokens: 1 }] });
    last = drafts.at(-1).id;
    say(String(n + 1));
  }
`;

/** Takes the lease for each append, and tells each refusal by its code. */
const TAKING_TURNS = `${PRELUDE}
  for (let n = 0; n < Number(count); ) {
    const lease = await store.leases.acquire('s', me, 5000);
    if ('heldBy' in lease) { say('HELD'); await sleep(2); continue; }
    const { leaf } = await store.log.session('s');
    await store.log.append({ session: 's', leaf, fence: lease.fence, entries: [entry(me + n, 'by ' + me), entry(me + n + '.2', 'by ' + me)] });
    n += 1;
    const stale = await store.log.append({ session: 's', leaf: me + (n - 1) + '.2', fence: lease.fence - 1, entries: [entry('never', '')] }).catch((error) => error.code);
    say(stale);
    await store.leases.release(lease);
    await sleep(1);
  }
  await store.close();
`;

const OPEN_ONLY = `${PRELUDE} say('open'); await store.close();`;
const LEFT_OPEN = `${PRELUDE} await store.log.append({ session: 's', leaf: null, fence: null, entries: [entry('a', 'text')] }); say('written');`;

function child(script: string, ...input: readonly string[]): ChildProcess {
  const flags = [
    '--conditions=@palimpsest/source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
    file,
    ...input,
  ];
  return spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function finished(process: ChildProcess): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  if (process.stdout !== null) createInterface(process.stdout).on('line', (line) => lines.push(line));
  const [code] = (await once(process, 'close')) as [number | null];
  return { code, lines };
}

async function path(store: Store): Promise<Entry[]> {
  const leaf = (await store.log.session(S))?.leaf ?? null;
  const found: Entry[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const page = leaf === null ? [] : await store.log.branch(S, leaf, { limit: 1000, ...(before === undefined ? {} : { before }) });
    if (page.length === 0) return found.reverse();
    found.push(...page);
  }
}

/** Kills the writer so many acknowledgements after its start. Returns how many appends it had acknowledged in all. */
async function killed(after: number, extraMs: number): Promise<number> {
  const writer = child(ENDLESS);
  let acknowledged = 0;
  let left = after;
  for await (const line of createInterface(writer.stdout ?? process.stdin)) {
    acknowledged = Number(line);
    if ((left -= 1) === 0) setTimeout(() => writer.kill('SIGKILL'), extraMs);
  }
  return acknowledged;
}

describe('a writer that is killed', () => {
  it(
    'leaves whole appends only, and all that were acknowledged',
    async () => {
      const ids = new SeededIds(1);
      for (let round = 0; round < ROUNDS; round += 1) {
        const acknowledged = await killed(1 + Math.floor(ids.random() * 60), ids.random() * 20);
        const store = await openStore({ file, durability: 'full', clock: new ManualClock() });
        const entries = await path(store);
        const record = await store.log.session(S);
        expect(entries.length % PER_APPEND).toBe(0);
        expect(entries.length / PER_APPEND).toBeGreaterThanOrEqual(acknowledged);
        expect(entries.length / PER_APPEND).toBeLessThanOrEqual(acknowledged + 1);
        expect(record).toMatchObject({ leaf: entries.at(-1)?.id, entries: entries.length });
        expect(entries.map(({ id, seq }) => `${id}@${String(seq)}`)).toEqual(
          entries.map((_, index) => `e${String(Math.floor(index / PER_APPEND))}.${String(index % PER_APPEND)}@${String(index + 1)}`),
        );
        expect(await store.artifacts.list({ session: S, limit: 1_000_000 })).toHaveLength(entries.length / PER_APPEND);
        if (round === ROUNDS - 1) expect(await store.search.query({ text: 'words of', limit: 1_000_000 })).toHaveLength(entries.length);
        await store.close();
        const raw = new Sqlite(file);
        expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
        raw.exec("INSERT INTO words (words) VALUES ('integrity-check')");
        raw.close();
      }
    },
    ROUNDS_TIMEOUT_MS,
  );
});

describe('two writers of one session', () => {
  it('take turns under the lease: nothing lost, nothing twice, and every intruder is told', async () => {
    const [one, other] = await Promise.all([
      finished(child(TAKING_TURNS, 'A', String(APPENDS_EACH))),
      finished(child(TAKING_TURNS, 'B', String(APPENDS_EACH))),
    ]);
    expect([one.code, other.code]).toEqual([0, 0]);
    const answers = [...one.lines, ...other.lines];
    expect(new Set(answers.filter((line) => line !== 'HELD'))).toEqual(new Set(['LOG_FENCE_STALE']));
    expect(answers.filter((line) => line === 'LOG_FENCE_STALE')).toHaveLength(2 * APPENDS_EACH);
    const store = await openStore({ file, durability: 'full', clock: new ManualClock() });
    const ids = (await path(store)).map(({ id }) => id);
    const expected = ['A', 'B']
      .flatMap((owner) => Array.from({ length: APPENDS_EACH }, (_, n) => [`${owner}${String(n)}`, `${owner}${String(n)}.2`]))
      .flat();
    expect([...ids].sort()).toEqual(expected.sort());
    for (const [index, id] of ids.entries()) if (index % 2 === 1) expect(id).toBe(`${String(ids[index - 1])}.2`);
    await store.close();
  });

  it('are kept apart: who does not hold the lease is refused with a typed error', async () => {
    const clock = new ManualClock(Date.now());
    const store = await openStore({ file, durability: 'full', clock });
    await store.log.open({ id: S, name: null, parent: null, created: '2026-01-01T00:00:00.000Z' });
    await store.leases.acquire(S, 'parent', 3_600_000);
    const intruder = `${PRELUDE}
      say(JSON.stringify(await store.leases.acquire('s', 'child', 1000)));
      say(JSON.stringify(await store.log.append({ session: 's', leaf: null, fence: null, entries: [entry('a', '')] }).catch((error) => error)));
      await store.close();`;
    const { code, lines } = await finished(child(intruder));
    expect(code).toBe(0);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ heldBy: 'parent', untilMs: clock.now() + 3_600_000 });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      code: 'LOG_FENCE_STALE',
      kind: 'session',
      details: { session: 's', fence: null, actual: 1 },
    });
    expect(await store.log.get(S, [entryIdOf('a')])).toEqual([]);
    await store.close();
  });
});

describe('a process', () => {
  it('may open a store that others make at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => finished(child(OPEN_ONLY))));
    expect(all.map(({ code, lines }) => [code, ...lines])).toEqual(Array.from({ length: 4 }, () => [0, 'open']));
  });

  it('can end without closing its store', async () => {
    expect(await finished(child(LEFT_OPEN))).toEqual({ code: 0, lines: ['written'] });
    const store = await openStore({ file, durability: 'full', clock: new ManualClock() });
    expect(await store.log.session(S)).toMatchObject({ leaf: 'a', entries: 1 });
    await store.close();
  });
});
