import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../test/bench.ts';
import { definition } from '../test/engines.ts';
import { FunctionModel } from '../test/function-model.ts';
import { bind, CLOCK, defineModule, IDS, type HostRuntime } from './index.ts';
import { SystemClock } from './adapters/system-clock.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

class NoonClock extends SystemClock {
  override now(): number {
    return Date.UTC(2026, 0, 1, 12);
  }
}
const noon = defineModule('noon', [bind(CLOCK).toValue(new NoonClock())]);

const servedBy = (runtime: HostRuntime, token: string): unknown =>
  runtime.wiring().services.flatMap((one) => (one.token === token ? [[one.module, one.overrides]] : []));

it('lets a module of the host replace a default, everywhere, and reports it', async () => {
  model.says({ text: 'ok' });
  const runtime = await bench.runtime({ model, modules: [noon] });
  const session = await runtime.openSession();
  await session.send('Hi').result;
  const entries = await runtime.store.log.entries(session.id, { limit: 100 });
  expect(new Set(entries.map(({ time }) => time))).toEqual(new Set(['2026-01-01T12:00:00.000Z']));
  expect(servedBy(runtime, 'host.clock')).toEqual([['noon', true]]);
  expect(servedBy(runtime, 'host.ids')).toEqual([['runtime', false]]);
});

it('leaves two runtimes in one process to themselves', async () => {
  const [changed, plain] = [await bench.runtime({ model, modules: [noon] }), await bench.runtime({ model })];
  expect(changed.clock.now()).toBe(Date.UTC(2026, 0, 1, 12));
  expect(plain.clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 2));
});

it('refuses what does not fit together, before anything is open', async () => {
  const bad = [
    [
      [noon, defineModule('midnight', [bind(CLOCK).toValue(new NoonClock())])],
      'host.clock is bound twice: module noon and module midnight',
    ],
    [[noon, noon], 'two modules are named noon'],
    [[defineModule('store', [])], 'two modules are named store'],
    [[defineModule('empty', [bind(IDS).toValue(null as never)])], 'host.ids (module empty) is null'],
  ] as const;
  for (const [modules, problem] of bad)
    await expect(bench.runtime({ model, modules })).rejects.toMatchObject({
      code: 'WIRING_INVALID',
      message: expect.stringContaining(problem) as string,
    });
});

it('takes engines as definitions or by the name of a package in the folder of the user', async () => {
  model.says({ text: 'ok' });
  const runtime = await bench.runtime({ model, plugins: [definition({})], config: { context: { engine: 'strange' } } });
  expect(await runtime.resolution()).toMatchObject({ name: 'strange', resolvedFrom: 'registry' });
  await bench.installed('engine-package', 'packaged');
  const packaged = await bench.runtime({
    model,
    plugins: ['engine-package', 'engine-package'],
    config: { context: { engine: 'packaged' }, plugins: ['engine-package'] },
  });
  expect(await packaged.resolution()).toMatchObject({ name: 'packaged', resolvedFrom: 'registry', substituted: false });
  await expect(bench.runtime({ model, plugins: ['engine-nobody-has'] })).rejects.toMatchObject({ code: 'PLUGIN_NOT_INSTALLED' });
});
