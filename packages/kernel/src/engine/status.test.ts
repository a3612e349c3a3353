import { expect, it } from 'vitest';
import { KernelBench, never, whole } from '../../test/bench.ts';

it('does not wait longer for the status of an engine than for any other call', async () => {
  const bench = new KernelBench();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { session } = await bench.open({
    engine: {
      plan: whole,
      status: () => {
        begin();
        return never() as never;
      },
    },
    guard: { callMs: 50 },
  });
  let status: unknown = null;
  const asked = session.status().then((answer) => {
    status = answer;
  });
  await begun;
  await bench.clock.advance(49);
  expect(status).toBeNull();
  await bench.clock.advance(1);
  await asked;
  expect(status).toMatchObject({ engine: { active: 'test@1', status: null, failures: ['test@1 status: no answer within 50 ms'] } });
});
