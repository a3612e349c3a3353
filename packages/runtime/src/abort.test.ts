import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssistantPart, Entry, HostTool, Session } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { gate, tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
let runtime: HostRuntime;
let offered: readonly HostTool[] = [];
const model = new FunctionModel();

/** A session of the one runtime, with the tools of this test. */
const opened = (): Promise<Session> => bench.session(runtime, model, offered);
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model });
});
afterAll(async () => {
  await bench.close();
});

/** Ids of calls that have no result, and of results that have no call. */
function unpaired(entries: readonly Entry[]): readonly string[] {
  const parts = entries.flatMap((entry): readonly AssistantPart[] =>
    entry.kind === 'message' && entry.message.role !== 'user' ? entry.message.content : [],
  );
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

it('calls no model when the signal was aborted before, and keeps what the user said', async () => {
  model.says({ text: 'never' });
  const session = await opened();
  expect(await session.send('Hi', { signal: AbortSignal.abort() }).result).toMatchObject({ ended: 'aborted', steps: 0, text: '' });
  expect(model.requests).toHaveLength(0);
  expect(kindsOf(await entriesOf(runtime, session.id))).toEqual(['prompt', 'user']);
  expect(await session.send('Go on').result).toMatchObject({ ended: 'answered', text: 'never' });
});

it('keeps the partial text of an aborted call in its step', async () => {
  const abort = new AbortController();
  model.does((_request, call, { signal, onDelta }) => {
    if (call > 0) return { text: 'fresh' };
    onDelta?.({ type: 'text-delta', text: 'half a sen' });
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ kind: 'aborted', partial: 'half a sen' });
      });
    });
  });
  const session = await opened();
  const turn = session.send('Tell me', { signal: abort.signal });
  for await (const part of turn) if (part.type === 'text-delta') abort.abort();
  expect(await turn.result).toMatchObject({ ended: 'aborted', steps: 0 });
  const entries = await entriesOf(runtime, session.id);
  expect(kindsOf(entries)).toEqual(['prompt', 'user', 'step']);
  expect(entries.at(-1)).toMatchObject({ kind: 'step', outcome: { kind: 'aborted', partial: 'half a sen' } });
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered', text: 'fresh' });
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('half a sen');
});

it('leaves no call without a result when it comes while tools run', async () => {
  const abort = new AbortController();
  model.says({ calls: [{ name: 'quick' }, { name: 'listening' }] }, { text: 'ok' });
  const tools = [
    tool('quick', () => Promise.resolve('quick is done')),
    tool(
      'listening',
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped half way'));
          });
          setTimeout(() => {
            abort.abort();
          }, 5);
        }),
    ),
  ];
  offered = tools;
  const session = await opened();
  expect(await session.send('Go', { signal: abort.signal }).result).toMatchObject({ ended: 'aborted', steps: 1 });
  const entries = await entriesOf(runtime, session.id);
  expect(unpaired(entries)).toEqual([]);
  expect(JSON.stringify(entries)).toContain('quick is done');
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
});

it('does not wait for a tool that ignores the signal', async () => {
  const abort = new AbortController();
  const never = gate();
  model.says({ calls: [{ name: 'deaf' }] }, { text: 'ok' });
  offered = [
    tool('deaf', async () => {
      setTimeout(() => {
        abort.abort();
      }, 5);
      await never.opened;
      return 'late';
    }),
  ];
  const session = await opened();
  expect(await session.send('Go', { signal: abort.signal }).result).toMatchObject({ ended: 'aborted' });
  never.open();
  expect(unpaired(await entriesOf(runtime, session.id))).toEqual([]);
}, 5_000);

it('ends a turn that waits behind an aborted one as usual', async () => {
  const abort = new AbortController();
  model.does((_request, call, { signal }) =>
    call > 0
      ? { text: 'second' }
      : new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve({ kind: 'aborted' });
          });
          abort.abort();
        }),
  );
  const session = await opened();
  const [first, second] = [session.send('One', { signal: abort.signal }), session.send('Two')];
  expect((await first.result).ended).toBe('aborted');
  expect(await second.result).toMatchObject({ ended: 'answered', text: 'second' });
});

it('does not wait for a before-compaction hook that ignores the signal, and compacts nothing', async () => {
  const [asked, abort] = [gate(), new AbortController()];
  const hooked = await bench.runtime({
    model,
    windowTokens: 16_000,
    hooks: {
      beforeCompaction: [
        {
          name: 'deaf',
          run: () => {
            asked.open();
            return new Promise(() => undefined);
          },
        },
      ],
    },
  });
  model.says({ text: `Answer ${prose(6_000, 'a')}` });
  const session = await hooked.openSession();
  await session.send('Hi').result;
  const turn = session.send(`And now ${prose(4_500, 'q')}`, { signal: abort.signal });
  await asked.opened;
  abort.abort();
  expect(await turn.result).toMatchObject({ ended: 'aborted' });
  expect((await session.status()).compaction).toBeNull();
}, 5_000);
