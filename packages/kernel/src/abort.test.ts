import { describe, expect, it } from 'vitest';
import type { CompactOutcome, Entry, HostTool, TurnResult } from '@palimpsest/contracts';
import { KernelBench, never, TalkingModel, tool, whole, type OpenAsk, type Opened } from '../test/bench.ts';

/** Sends, waits until the work that will never answer was begun, aborts, and moves the clock two seconds on: all that "promptly" may take. */
async function abortedIn(bench: KernelBench, { session }: Opened, begun: Promise<void>): Promise<TurnResult> {
  const abort = new AbortController();
  const turn = session.send('Go', { signal: abort.signal });
  await begun;
  abort.abort();
  const ended = turn.result;
  for (let second = 0; second < 2; second += 1) await bench.clock.advance(1_000);
  return Promise.race([
    ended,
    new Promise<never>((_resolve, reject) => {
      setTimeout(() => {
        reject(new Error('the turn did not end'));
      }, 1_000);
    }),
  ]);
}

function unanswered(entries: readonly Entry[]): readonly string[] {
  const parts = entries.flatMap((entry) => (entry.kind === 'message' && entry.message.role !== 'user' ? entry.message.content : []));
  const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])));
  return parts.flatMap((part) => (part.type === 'tool-call' && !answered.has(part.toolCallId) ? [part.toolCallId] : []));
}

/** Something that never answers and never listens; `begun` resolves when it is asked. */
function deaf(): { readonly begun: Promise<void>; hang<T>(): Promise<T> } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    begun,
    hang: () => {
      begin();
      return never();
    },
  };
}

describe('an abort ends the turn promptly, though nobody listens to its signal:', () => {
  const cases: Record<string, (hang: <T>() => Promise<T>, bench: KernelBench) => OpenAsk> = {
    'a model': (hang) => ({ model: new TalkingModel(hang) }),
    'a plan': (hang) => ({ engine: { plan: hang } }),
    begin: (hang) => ({ engine: { begin: hang } }),
    'commit of the aborted turn': (hang) => ({ engine: { begin: hang, commit: () => never() } }),
    'a tool': (hang) => ({
      model: new TalkingModel(() => ({ calls: ['wait', 'quick'] })),
      tools: [tool('wait', hang), tool('quick', () => Promise.resolve('done'))],
    }),
    'a transform-request hook': (hang, { hooks }) => {
      hooks.transformRequest.push({ name: 'deaf', breaksCache: false, run: hang });
      return {};
    },
    'a guard-tool hook': (hang, { hooks }) => {
      hooks.guardTool.push({ name: 'deaf', run: hang });
      return {
        model: new TalkingModel(() => ({ calls: ['wait'] })),
        tools: [tool('wait', () => Promise.reject(new Error('the tool was run')))],
      };
    },
  };

  it.each(Object.entries(cases))('%s', async (_name, asked) => {
    const bench = new KernelBench();
    const work = deaf();
    const opened = await bench.open(asked(work.hang, bench));
    const failures: string[] = [];
    opened.session.on('engine.failed', ({ method }) => {
      failures.push(method);
    });
    expect(await abortedIn(bench, opened, work.begun)).toMatchObject({ ended: 'aborted' });
    expect(failures.filter((method) => method !== 'commit')).toEqual([]);
    expect(bench.clock.waiting).toBe(0);
    const entries = await bench.entries();
    expect(unanswered(entries)).toEqual([]);
    expect(JSON.stringify(entries)).not.toContain('the tool was run');
    await opened.session.close();
    expect(bench.clock.waiting).toBe(0);
  });
});

it('runs no tool whose turn was aborted while its guard was asked', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  const ran: string[] = [];
  bench.hooks.guardTool.push({
    name: 'slow',
    run: () => {
      abort.abort();
      return Promise.resolve('allow');
    },
  });
  const { session } = await bench.open({
    model: new TalkingModel(() => ({ calls: ['write'] })),
    tools: [
      tool('write', () => {
        ran.push('write');
        return never();
      }),
    ],
  });
  expect(await session.send('Go', { signal: abort.signal }).result).toMatchObject({ ended: 'aborted' });
  expect(ran).toEqual([]);
});

it('is not stopped by a tool that aborts its own turn and then never answers', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  const suicidal: HostTool = tool('stop', () => {
    abort.abort();
    return never();
  });
  const { session } = await bench.open({ model: new TalkingModel(() => ({ calls: ['stop'] })), tools: [suicidal] });
  expect(await session.send('Go', { signal: abort.signal }).result).toMatchObject({ ended: 'aborted' });
  expect(unanswered(await bench.entries())).toEqual([]);
});

it('keeps what a silent model had said, and nothing that it says afterwards', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  let late = (): void => undefined;
  const { session } = await bench.open({
    model: new TalkingModel((_request, { onDelta }) => {
      onDelta?.({ type: 'text-delta', text: 'half a ' });
      onDelta?.({ type: 'text-delta', text: 'sentence' });
      return new Promise((resolve) => {
        late = () => {
          onDelta?.({ type: 'text-delta', text: 'late' });
          resolve('late');
        };
      });
    }),
  });
  const turn = session.send('Go', { signal: abort.signal });
  const texts: string[] = [];
  for await (const part of turn) {
    if (part.type === 'text-delta') texts.push(part.text);
    if (part.type === 'text-delta' && part.text === 'sentence') {
      abort.abort();
      void bench.clock.advance(1_000);
    }
  }
  expect(await turn.result).toMatchObject({ ended: 'aborted', steps: 0 });
  late();
  await bench.clock.advance(0);
  const steps = (await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.outcome] : []));
  expect(steps).toEqual([{ kind: 'aborted', partial: 'half a sentence' }]);
  expect(texts).toEqual(['half a ', 'sentence']);
});

it('takes the answer of a model that hears the signal', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  const { session } = await bench.open({
    model: new TalkingModel(
      (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve({ kind: 'aborted', partial: 'its own' });
          });
          abort.abort();
        }),
    ),
  });
  await session.send('Go', { signal: abort.signal }).result;
  expect((await bench.entries()).at(-1)).toMatchObject({ outcome: { kind: 'aborted', partial: 'its own' } });
  expect(bench.clock.waiting).toBe(0);
});

it('tells the engine of an aborted turn, and waits for it no longer than a second', async () => {
  const bench = new KernelBench();
  const work = deaf();
  const told: string[] = [];
  const opened = await bench.open({
    model: new TalkingModel(work.hang),
    engine: {
      commit: ({ ended, signal }) => {
        told.push(`${ended} ${String(signal.aborted)}`);
        return Promise.resolve('committed');
      },
    },
  });
  await abortedIn(bench, opened, work.begun);
  expect(told).toEqual(['aborted false']);
});

it('ends as aborted, not as exhausted, when the ladder was left before it had made room', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  const { session } = await bench.open({
    windowTokens: 1_000,
    climb: () => {
      abort.abort();
      return Promise.resolve({ changed: false, declined: [] });
    },
  });
  expect(await session.send('x'.repeat(8_000), { signal: abort.signal }).result).toMatchObject({ ended: 'aborted' });
});

it('does not wait for a compaction, and writes nothing of it', async () => {
  const bench = new KernelBench();
  const work = deaf();
  const outcomes: CompactOutcome[] = [];
  const opened: Opened = await bench.open({
    windowTokens: 1_000,
    engine: { compact: work.hang },
    climb: async ({ signal }) => {
      const { engine, views } = opened.kit;
      outcomes.push(
        await engine.compact({
          trigger: 'threshold',
          goalTokens: 1,
          keepRecent: null,
          focus: null,
          protectedEntries: [],
          budget: views.budget(null),
          signal,
        }),
      );
      return { changed: false, declined: [] };
    },
  });
  const abort = new AbortController();
  const turn = opened.session.send('x'.repeat(2_800), { signal: abort.signal });
  await work.begun;
  abort.abort();
  expect(await turn.result).toMatchObject({ ended: 'aborted' });
  expect(outcomes).toEqual([{ kind: 'failed', error: 'the turn was aborted', retryable: true }]);
  expect(opened.kit.engine.failures).toEqual([]);
  expect(bench.clock.waiting).toBe(0);
});

describe('a hook that hangs without an abort', () => {
  it('ends the turn with a typed error that names it, after ten seconds', async () => {
    const bench = new KernelBench();
    const work = deaf();
    bench.hooks.transformRequest.push({ name: 'stuck', breaksCache: false, run: work.hang });
    const { session } = await bench.open();
    const turn = session.send('Go');
    await work.begun;
    await bench.clock.advance(10_000);
    await expect(turn.result).rejects.toMatchObject({ code: 'HOOK_FAILED', details: { name: 'stuck' } });
    expect(bench.clock.waiting).toBe(0);
  });

  it('denies the call it was asked about, after ten minutes', async () => {
    const bench = new KernelBench();
    const work = deaf();
    bench.hooks.guardTool.push({ name: 'stuck', run: work.hang });
    const { session } = await bench.open({
      model: new TalkingModel((_request, _options, call) => (call === 0 ? { calls: ['write'] } : 'fine')),
      tools: [tool('write', () => Promise.resolve('written'))],
    });
    const turn = session.send('Go');
    await work.begun;
    await bench.clock.advance(600_000);
    expect(await turn.result).toMatchObject({ ended: 'answered' });
    const log = JSON.stringify(await bench.entries());
    expect(log).toContain('stuck failed');
    expect(log).not.toContain('"value":"written"');
    expect(bench.clock.waiting).toBe(0);
  });
});

it("refuses a step of a host's own loop that is aborted while it is prepared, and prepares the next", async () => {
  const bench = new KernelBench();
  const work = deaf();
  const abort = new AbortController();
  let asked = 0;
  const { session } = await bench.open({ engine: { plan: (request) => ((asked += 1) === 1 ? work.hang() : whole(request)) } });
  await session.loop.submit('Go');
  const step = session.loop.prepare({ signal: abort.signal });
  await work.begun;
  abort.abort();
  expect(await step).toEqual({ refused: 'aborted' });
  expect(await session.loop.prepare()).toMatchObject({ stepId: 'step-1' });
  expect(bench.clock.waiting).toBe(0);
});

it('fails a plan that comes after its deadline, and asks no more of it', async () => {
  const bench = new KernelBench();
  const work = deaf();
  const { session } = await bench.open({ engine: { plan: work.hang } });
  const turn = session.send('Go');
  await work.begun;
  await bench.clock.advance(10_000);
  await bench.clock.advance(10_000);
  await expect(turn.result).rejects.toMatchObject({ code: 'ENGINE_FAILED', details: { rule: 'deadline' } });
  expect(bench.clock.waiting).toBe(0);
});
