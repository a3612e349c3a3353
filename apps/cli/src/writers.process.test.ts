import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRuntime, showSession } from '@palimpsest/runtime';
import type { SessionId } from '@palimpsest/contracts';
import { Place, type Finished } from '../test/command.ts';

interface Shown {
  readonly entries: readonly {
    readonly seq: number;
    readonly id: string;
    readonly parent: string | null;
    readonly kind: string;
    readonly preview: string;
  }[];
}

let place: Place;
beforeAll(async () => {
  place = await Place.open();
  const yaml = (delayMs: number): string =>
    `models:\n  slow:\n    provider: scripted\n    script:\n      - { text: answered, delay_ms: ${String(delayMs)} }\nagent: { model: slow }\n`;
  await writeFile(place.path('slow.yaml'), yaml(4_000));
  await writeFile(place.path('quick.yaml'), yaml(20));
  await writeFile(place.path('patient.yaml'), yaml(100_000));
});
afterAll(async () => {
  await place.close();
});

function say(prompt: string, config: string): Promise<Finished> {
  return place.run('run', prompt, '--session', 'shared', '--config', place.path(config));
}

async function previews(): Promise<readonly string[]> {
  const { entries } = await place.json<Shown>('sessions', 'show', 'shared');
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.map(({ parent }) => parent)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)]);
  return entries.filter(({ kind }) => kind === 'message').map(({ preview }) => preview);
}

it("tells one of two processes that write to one session, and keeps the other's turn whole", async () => {
  const both = await Promise.all([say('from the left', 'slow.yaml'), say('from the right', 'slow.yaml')]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  const told = both.find(({ code }) => code === 1);
  expect(told?.stderr).toMatch(/^SESSION_BUSY: /u);
  expect(told?.stdout).not.toContain('answered');
  const winner = both.findIndex(({ code }) => code === 0) === 0 ? 'left' : 'right';
  expect(await previews()).toEqual([`user_input: from the ${winner}`, 'model: answered']);
});

it('loses, doubles and reorders nothing when several processes try until they are let in', async () => {
  const before = (await previews()).length;
  const insist = async (prompt: string): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      const { code, stderr } = await say(prompt, 'quick.yaml');
      if (code === 0) return tries;
      expect(stderr).toMatch(/^(SESSION_BUSY|LOG_LEAF_MOVED|LOG_FENCE_STALE): /u);
      await pause(50 * tries);
    }
  };
  const prompts = ['p0', 'p1', 'p2', 'p3'];
  await Promise.all([
    (async () => {
      await insist('p0');
      await insist('p1');
    })(),
    (async () => {
      await insist('p2');
      await insist('p3');
    })(),
  ]);
  const added = (await previews()).slice(before);
  expect(added.filter((_, index) => index % 2 === 1)).toEqual(prompts.map(() => 'model: answered'));
  const said = added.filter((_, index) => index % 2 === 0).map((preview) => preview.replace('user_input: ', ''));
  expect([...said].sort()).toEqual(prompts);
  expect(said.indexOf('p0')).toBeLessThan(said.indexOf('p1'));
  expect(said.indexOf('p2')).toBeLessThan(said.indexOf('p3'));
});

it('aborts on an interrupt, says so, and leaves the session whole and free', async () => {
  const { child, finished } = place.start('run', 'wait for me', '--session', 'stopped', '--config', place.path('patient.yaml'));
  const runtime = await createRuntime({ config: { store: { path: place.database } }, projectDir: place.folder });
  while (((await runtime.store.log.session('stopped' as SessionId))?.entries ?? 0) < 2) await pause(20);
  await pause(300);
  child.kill('SIGINT');
  const { code, stderr } = await finished;
  expect([code, stderr]).toEqual([130, '']);
  expect((await showSession(runtime, 'stopped', 10)).entries.map(({ kind }) => kind)).toEqual(['prompt', 'message', 'step']);
  await runtime.close();
  expect((await place.run('run', 'again', '--session', 'stopped', '--config', place.path('quick.yaml'))).code).toBe(0);
});
