import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { HostTool, Session, StreamPart } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { gate, tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
let runtime: HostRuntime;
let offered: readonly HostTool[] = [];
const model = new FunctionModel();

/** A session of the one runtime, with the tools of this test. */
const opened = (): Promise<Session> => bench.session(runtime, model, offered);
const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model });
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await bench.close();
});
afterEach(async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  expect(unhandled.splice(0)).toEqual([]);
});

it('runs two sends one after the other, in the order they came', async () => {
  model.says({ text: 'first' }, { text: 'second' });
  const session = await opened();
  const turns = [session.send('A'), session.send('B')];
  expect((await Promise.all(turns.map(({ result }) => result))).map(({ text }) => text)).toEqual(['first', 'second']);
  expect(kindsOf(await entriesOf(runtime, session.id))).toEqual(['prompt', 'user', 'step', 'assistant', 'user', 'step', 'assistant']);
  expect(model.requests[0]?.messages).toHaveLength(1);
});

it('does not go on by itself while another input waits', async () => {
  model.says({ text: 'cut', finish: 'length' }, { text: 'second' });
  const session = await opened();
  const [first, second] = [session.send('A'), session.send('B')];
  expect((await first.result).ended).toBe('output-cap');
  expect((await second.result).text).toBe('second');
});

it('lets a steering input join the running turn at its next step', async () => {
  const [asked, go] = [gate(), gate()];
  model.says({ calls: [{ name: 'wait' }] }, { text: 'steered' });
  offered = [
    tool('wait', async () => {
      asked.open();
      await go.opened;
      return 'waited';
    }),
  ];
  const session = await opened();
  const turn = session.send('Go');
  await asked.opened;
  const joined = session.send('No, the other one', { steer: true });
  go.open();
  const result = await turn.result;
  expect(result).toMatchObject({ ended: 'answered', text: 'steered', steps: 2 });
  expect(await joined.result).toMatchObject({ turn: result.turn, ended: 'answered', text: 'steered' });
  const entries = await entriesOf(runtime, session.id);
  expect(kindsOf(entries)).toEqual(['prompt', 'user', 'step', 'assistant', 'tool', 'user', 'step', 'assistant']);
  expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'No, the other one' }] });
});

it('loses no steering input that comes too late for the last step', async () => {
  const [asked, go] = [gate(), gate()];
  model.does(async (_request, call) => {
    if (call > 0) return { text: 'and this' };
    asked.open();
    await go.opened;
    return { text: 'answer' };
  });
  const session = await opened();
  const turn = session.send('Go');
  await asked.opened;
  const joined = session.send('One more thing', { steer: true });
  go.open();
  await turn.result;
  await joined.result;
  await session.close();
  const texts = JSON.stringify(await entriesOf(runtime, session.id));
  expect(texts).toContain('One more thing');
});

it('settles a steering input when the running turn fails', async () => {
  const [asked, go] = [gate(), gate()];
  model.does(async () => {
    asked.open();
    await go.opened;
    return { fault: { kind: 'auth', message: 'no key' } };
  });
  const session = await opened();
  const turn = session.send('Go');
  await asked.opened;
  const joined = session.send('More', { steer: true });
  go.open();
  await expect(turn.result).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  await expect(
    Promise.race([
      joined.result.then(
        () => 'settled',
        () => 'settled',
      ),
      new Promise((resolve) => {
        setTimeout(resolve, 2_000, 'waits');
      }),
    ]),
  ).resolves.toBe('settled');
});

it("streams deltas and events in order, the turn's own log among them", async () => {
  model.says({ calls: [{ name: 'echo' }] }, { text: 'end' });
  offered = [tool('echo', () => Promise.resolve('echo'))];
  const session = await opened();
  const seen: StreamPart[] = [];
  for await (const part of session.send('Go')) seen.push(part);
  const names = seen.map((part) => (part.type === 'event' ? part.name : part.type));
  expect(names.filter((name) => name !== 'entry.appended')).toEqual([
    'turn.started',
    'plan.made',
    'view.assembled',
    'plan.made',
    'view.assembled',
    'text-delta',
    'turn.completed',
  ]);
  const appended = seen.flatMap((part) => (part.type === 'event' && part.name === 'entry.appended' ? [part.entry.seq] : []));
  expect(appended).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('gives a second reader of the same turn everything once more', async () => {
  model.says({ text: 'end' });
  const session = await opened();
  const turn = session.send('Go');
  const read = async (): Promise<number> => {
    let parts = 0;
    for await (const _part of turn) parts += 1;
    return parts;
  };
  const [one, two] = await Promise.race([
    Promise.all([read(), read()]),
    new Promise<number[]>((resolve) => {
      setTimeout(resolve, 2_000, [-1, -2]);
    }),
  ]);
  expect(one).toBeGreaterThan(4);
  expect(two).toBe(one);
});

it('feels nothing of an observer that throws or rejects', async () => {
  model.says({ text: 'fine' });
  const session = await opened();
  session.on('entry.appended', () => {
    throw new Error('observer');
  });
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- hosts do it
  session.on('turn.completed', async () => {
    await Promise.resolve();
    throw new Error('async observer');
  });
  let seen = 0;
  const stop = session.on('turn.started', () => {
    seen += 1;
  });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  stop();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  expect(seen).toBe(1);
});

it('does not abort when the loop over it is left, and never rejects unhandled', async () => {
  model.says({ text: 'whole' }, { fault: { kind: 'auth', message: 'no' } });
  const session = await opened();
  const turn = session.send('Go');
  for await (const _part of turn) break;
  expect(await turn.result).toMatchObject({ ended: 'answered', text: 'whole' });
  session.send('And nobody asks for the result');
  await session.close();
  session.send('After the end');
  expect(model.requests).toHaveLength(2);
});
