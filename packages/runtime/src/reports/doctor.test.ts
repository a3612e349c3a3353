import { expect, it } from 'vitest';
import type { Config } from '@palimpsest/config';
import type { SessionId } from '@palimpsest/contracts';
import { diskChecks, missingStoreCheck, modelChecks, nodeCheck, unfinishedChecks } from './doctor.ts';

it.each([
  ['v22.15.0', 'pass'],
  ['v22.14.9', 'fail'],
])('takes Node %s as %s', (version, status) => {
  expect(nodeCheck(version).status).toBe(status);
});

it('tells a full disk and a folder of somebody else, each with a fix', () => {
  const place = { nearest: '/home/me', exists: true, isFolder: true, isWritable: true, freeBytes: 10e9 };
  const statuses = (more: Partial<typeof place>): readonly string[] => diskChecks({ ...place, ...more }).map(({ status }) => status);
  expect(statuses({})).toEqual(['pass', 'pass']);
  expect(statuses({ freeBytes: 100e6 })).toEqual(['warn', 'pass']);
  expect(statuses({ freeBytes: 1e6, isWritable: false })).toEqual(['fail', 'fail']);
  for (const { status, fix } of diskChecks({ ...place, freeBytes: 1, isWritable: false }))
    expect([status, fix === null]).toEqual(['fail', false]);
});

it('fails a store that cannot be made, although nothing is there that could be broken', () => {
  const place = { nearest: '/home/me', exists: false, isFolder: true, isWritable: true, freeBytes: 10e9 };
  expect(missingStoreCheck('/home/me/a.db', place).status).toBe('pass');
  expect(missingStoreCheck('/home/me/a.db', { ...place, isWritable: false })).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('not yours') as string,
  });
  expect(missingStoreCheck('/etc/passwd/a.db', { ...place, nearest: '/etc/passwd', isFolder: false })).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('no folder') as string,
  });
});

it('names sessions that are unfinished, a few of many, and what to do', () => {
  const ids = Array.from({ length: 7 }, (_, index) => `s${String(index)}` as SessionId);
  expect(unfinishedChecks(ids.map((id, index) => ({ id, filling: index === 0 ? 'done' : null })))).toEqual([]);
  const [one] = unfinishedChecks(ids.map((id) => ({ id, filling: id === 's2' ? 'begun' : null })));
  expect(one).toMatchObject({
    what: 'sessions',
    status: 'warn',
    found: expect.stringMatching(/^1 unfinished.*: s2$/u) as string,
    fix: expect.stringContaining('again') as string,
  });
  expect(unfinishedChecks(ids.map((id) => ({ id, filling: 'begun' })))[0]?.found).toMatch(/: s0, s1, s2, s3, s4 and 2 more$/u);
});

const model = {
  provider: 'anthropic',
  model: 'm',
  baseUrl: null,
  apiKey: null,
  windowTokens: 200_000,
  maxOutputTokens: null,
  script: null,
  unset: [],
};
const config = (models: Config['models'], chosen: string | null = null): Pick<Config, 'models' | 'agent'> => ({
  models,
  agent: { model: chosen, maxSteps: 50 },
});
const seen = (given: Pick<Config, 'models' | 'agent'>, env = {}): readonly string[] =>
  modelChecks(given, { env }).map(({ what, status }) => `${what}: ${status}`);

it('looks for a chosen model and for keys, and never prints one', () => {
  expect(seen(config({}))).toEqual(['models: warn']);
  expect(seen(config({ a: model }))).toEqual(['models: pass', 'model a: fail']);
  expect(seen(config({ a: model }), { ANTHROPIC_API_KEY: 'secret' })).toEqual(['models: pass', 'model a: pass']);
  expect(seen(config({ a: model, b: { ...model, apiKey: 'secret' } }))).toEqual(['models: fail', 'model a: fail', 'model b: pass']);
  expect(seen(config({ a: { ...model, windowTokens: null, apiKey: 'k' } }, 'a'))).toEqual([
    'models: pass',
    'model a: pass',
    'model a: warn',
  ]);
  expect(seen(config({ a: model }, 'c'))[0]).toBe('models: fail');
  const unset = [{ at: null, path: 'models.a.api_key', problem: 'the environment variable K is not set', near: null }];
  expect(seen(config({ a: { ...model, apiKey: '${env:K}', unset } }))).toEqual(['models: pass', 'model a: fail']);
  expect(modelChecks(config({ a: { ...model, apiKey: '${env:K}', unset } }), { env: {} })[1]).toMatchObject({
    found: expect.stringContaining('K is not set') as string,
    fix: 'Set it first: export K=…',
  });
  expect(
    JSON.stringify(modelChecks(config({ a: { ...model, apiKey: 'secret' } }), { env: { ANTHROPIC_API_KEY: 'secret' } })),
  ).not.toContain('secret');
});
