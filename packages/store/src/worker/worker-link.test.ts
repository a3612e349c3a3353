import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { sessionIdOf, sessionOf } from '@palimpsest/testing';
import { WorkerLink } from './worker-link.ts';

it('rejects what waits, and what comes later, when its thread dies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const link = new WorkerLink({ file: join(folder, 'store.db'), durability: 'normal' });
  await link.call('openSession', sessionOf('s'));
  const waiting = Array.from({ length: 50 }, () => link.call('session', sessionIdOf('s')));
  const settled = Promise.allSettled(waiting);
  await (await started).terminate();
  const rejected = (await settled).filter(({ status }) => status === 'rejected');
  expect(rejected.length).toBeGreaterThan(0);
  for (const answer of rejected) expect(answer).toMatchObject({ reason: { code: 'STORE_FAILED', details: { operation: 'session' } } });
  await expect(link.call('session', sessionIdOf('s'))).rejects.toMatchObject({
    code: 'STORE_FAILED',
    kind: 'environment',
    retryable: true,
  });
  await link.close();
  await expect(link.call('session', sessionIdOf('s'))).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await rm(folder, { recursive: true, force: true });
});

it('words what is handed in and is no data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const link = new WorkerLink({ file: join(folder, 'store.db'), durability: 'normal' });
  const artifact = { id: 'a', kind: 'offload', session: null, body: '', source: null, madeBy: () => null, tokens: 0 };
  await expect(link.call('putArtifacts', [artifact as never])).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  await link.call('open');
  await link.close();
  await rm(folder, { recursive: true, force: true });
});
