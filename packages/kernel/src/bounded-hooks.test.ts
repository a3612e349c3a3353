import { expect, it } from 'vitest';
import type { Hooks } from '@palimpsest/contracts';
import { ManualClock } from '@palimpsest/testing';
import { never } from '../test/bench.ts';
import { BoundedHooks } from './bounded-hooks.ts';

const none: Hooks = { transformRequest: [], beforeCompaction: [], guardTool: [] };

it('gives a before-compaction hook ten seconds, and nothing after an abort', async () => {
  const clock = new ManualClock();
  const [hook] = new BoundedHooks({ ...none, beforeCompaction: [{ name: 'stuck', run: () => never() }] }, clock).beforeCompaction;
  const abort = new AbortController();
  const asked = (signal: AbortSignal): Promise<unknown> =>
    Promise.resolve(hook?.run({ trigger: 'threshold', keepRecent: null, signal })).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
  const [late, aborted] = [asked(new AbortController().signal), asked(abort.signal)];
  abort.abort();
  expect(await aborted).toContain('aborted');
  await clock.advance(10_000);
  expect(await late).toContain('10000 ms');
  expect(clock.waiting).toBe(0);
});

it('passes on what hooks answer, also of hooks that are added later', async () => {
  const guards: Hooks['guardTool'][number][] = [];
  const bounded = new BoundedHooks({ ...none, guardTool: guards }, new ManualClock());
  guards.push({ name: 'late', run: ({ name }) => Promise.resolve({ deny: name }) });
  expect(await bounded.guardTool[0]?.run({ id: '1', name: 'write', input: {} }, new AbortController().signal)).toEqual({ deny: 'write' });
});
