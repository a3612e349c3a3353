import { expect, it } from 'vitest';
import type { StreamPart, Turn } from '@palimpsest/contracts';
import { KernelBench, TalkingModel, tool } from '../test/bench.ts';

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}
function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    opened,
    open: () => {
      open();
    },
  };
}

async function partsOf(turn: Turn): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of turn) parts.push(part);
  return parts;
}

const deltas = (parts: readonly StreamPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []));
const turnsOf = (parts: readonly StreamPart[]): ReadonlySet<string> =>
  new Set(parts.flatMap((part) => (part.type === 'event' && part.turn !== null ? [part.turn] : [])));

/** Says `answer 0`, `answer 1`, … as deltas; waits at the first call until `go` opens. */
function slow(asked: Gate, go: Gate): TalkingModel {
  return new TalkingModel(async (_request, { onDelta }, call) => {
    asked.open();
    await go.opened;
    onDelta?.({ type: 'text-delta', text: `answer ${String(call)}` });
    return `answer ${String(call)}`;
  });
}

it('a queued turn streams nothing of the turn before it', async () => {
  const [asked, go] = [gate(), gate()];
  const { session } = await new KernelBench().open({ model: slow(asked, go) });
  const first = session.send('one');
  await asked.opened;
  const second = session.send('two');
  go.open();
  const parts = await partsOf(second);
  expect(turnsOf(parts)).toEqual(new Set([(await second.result).turn]));
  expect(deltas(parts)).toEqual(['answer 1']);
  expect(turnsOf(await partsOf(first))).toEqual(new Set([(await first.result).turn]));
});

it('steering right after a send joins that turn, though it has not begun', async () => {
  const bench = new KernelBench();
  const model = new TalkingModel();
  const { session } = await bench.open({ model });
  const turn = session.send('one');
  const joined = session.send('and this', { steer: true });
  const behind = session.send('two');
  expect((await joined.result).turn).toBe((await turn.result).turn);
  expect(await partsOf(joined)).toEqual(await partsOf(turn));
  expect((await behind.result).turn).not.toBe((await turn.result).turn);
  expect(model.requests.map(({ messages }) => JSON.stringify(messages).match(/one|and this|two/gu))).toEqual([
    ['one', 'and this'],
    ['one', 'and this', 'two'],
  ]);
});

it('what joins a running turn streams what it does from then on', async () => {
  const [asked, go] = [gate(), gate()];
  const model = new TalkingModel((_request, { onDelta }, call) => {
    onDelta?.({ type: 'text-delta', text: `answer ${String(call)}` });
    return call === 0 ? { calls: ['wait'] } : 'done';
  });
  const { session } = await new KernelBench().open({
    model,
    tools: [
      tool('wait', async () => {
        asked.open();
        await go.opened;
        return 'waited';
      }),
    ],
  });
  const turn = session.send('one');
  await asked.opened;
  const joined = session.send('and this', { steer: true });
  go.open();
  expect(deltas(await partsOf(joined))).toEqual(['answer 1']);
  expect(deltas(await partsOf(turn))).toEqual(['answer 0', 'answer 1']);
});

it('steering that comes too late has a turn of its own, and steering after it joins that one', async () => {
  const [asked, go] = [gate(), gate()];
  const model = slow(asked, go);
  const { session } = await new KernelBench().open({ model });
  const first = session.send('one');
  await asked.opened;
  const late = session.send('late', { steer: true });
  const behind = session.send('two');
  go.open();
  const results = [await first.result, await late.result, await behind.result];
  expect(new Set(results.map(({ turn }) => turn)).size).toBe(3);
  expect(deltas(await partsOf(late))).toEqual(['answer 0', 'answer 1']);
  expect(deltas(await partsOf(behind))).toEqual(['answer 2']);
  expect(await session.send('afterwards', { steer: true }).result).toMatchObject({ text: 'answer 3' });
});
