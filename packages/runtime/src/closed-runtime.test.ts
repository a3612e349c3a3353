import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const closed = { code: 'RUNTIME_CLOSED', message: 'The runtime is closed.', hint: expect.stringContaining('createRuntime') as string };

it('says that the runtime is closed, and what to do', async () => {
  const runtime = await bench.runtime({ model: new FunctionModel() });
  await (await runtime.openSession({ id: 'a' })).send('Hi').result;
  await runtime.close();
  await expect(runtime.openSession()).rejects.toMatchObject(closed);
  await expect(runtime.openSession({ id: 'a' })).rejects.toMatchObject(closed);
  await expect(runtime.why('a')).rejects.toMatchObject(closed);
  expect(() => runtime.store).toThrow(expect.objectContaining(closed) as Error);
  await runtime.close();
});

it('says so also of a session that was just being opened', async () => {
  const runtime = await bench.runtime({ model: new FunctionModel() });
  const opening = expect(runtime.openSession()).rejects.toMatchObject(closed);
  await runtime.close();
  await opening;
});
