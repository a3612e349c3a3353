import { describe, expect, it } from 'vitest';
import type { ContextEngine, EntryId, PlanRequest, Segment } from '@palimpsest/contracts';
import { KernelBench, TalkingModel, tool, whole } from '../test/bench.ts';

/** An engine that shows a summary of its own in place of the first turn, as long as there is a text for it. */
function summing(): { readonly engine: ContextEngine; text: string | null } {
  const told: { engine: ContextEngine; text: string | null } = {
    text: null,
    engine: {
      plan: async (request: PlanRequest) => {
        const { branch } = request;
        if (told.text === null) return whole(request);
        let answer: EntryId | null = null;
        for await (const { entry } of branch.oldestFirst(null))
          if (entry.kind === 'message' && entry.message.role === 'assistant') answer ??= entry.id;
        const first: Segment[] =
          answer === null
            ? []
            : [{ through: answer, show: 'summary', text: { inline: told.text }, tokens: 1, quality: 'extract', trust: 'user' }];
        return { segments: [...first, { through: branch.last, show: 'entries' }], estimateTokens: 0 };
      },
    },
  };
  return told;
}

const reasons = async (bench: KernelBench): Promise<readonly (string | null)[]> =>
  (await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.breakReason] : []));

describe('why a prefix broke', () => {
  it('is named for a selection, also one that is as long as the one before', async () => {
    const bench = new KernelBench();
    const told = summing();
    const { session } = await bench.open({ engine: told.engine });
    for (const text of [null, null, 'aaaa', 'bbbb', 'bbbb', null]) {
      told.text = text;
      await session.send('Go').result;
    }
    expect(await reasons(bench)).toEqual([null, null, 'selection', 'selection', null, 'selection']);
  });

  it('is named after the session was opened again, from the log alone', async () => {
    const bench = new KernelBench();
    const told = summing();
    const first = await bench.open({ engine: told.engine });
    await first.session.send('One').result;
    await first.session.send('Two').result;
    await first.session.close();
    told.text = 'what was said';
    const again = await bench.open({ engine: told.engine });
    await again.session.send('Three').result;
    await again.session.close();
    await (await bench.open({ engine: told.engine })).session.send('Four').result;
    expect(await reasons(bench)).toEqual([null, null, 'selection', null]);
  });

  it('is none when the leaf was moved to where the prefix still holds, and navigation where it does not', async () => {
    const bench = new KernelBench();
    const told = summing();
    const { session, kit } = await bench.open({ engine: told.engine });
    await session.send('One').result;
    const place = kit.journal.branch().last;
    await session.send('Two').result;
    await session.moveTo(place);
    await session.send('Two, differently').result;
    await session.moveTo(place);
    told.text = 'what was said';
    await session.send('Two, once more').result;
    expect(await reasons(bench)).toEqual([null, null, null, 'navigation']);
  });

  it('is a hook that changes the request, and a hook that changes it no more', async () => {
    const bench = new KernelBench();
    const { session } = await bench.open();
    let note = '';
    bench.hooks.transformRequest.push({
      name: 'noted',
      breaksCache: false,
      run: (request) =>
        Promise.resolve(
          note === ''
            ? null
            : {
                request: { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: note }] }, ...request.messages] },
                replacedConversation: false,
              },
        ),
    });
    for (const text of ['', '', 'remember', 'remember', 'forget', '', '']) {
      note = text;
      await session.send('Go').result;
    }
    expect(await reasons(bench)).toEqual([null, null, 'hook', null, 'hook', 'hook', null]);
  });

  it('is compared with what was sent, not with what was refused', async () => {
    const bench = new KernelBench();
    const { session } = await bench.open({ windowTokens: 2_000 });
    await session.send('One').result;
    let flood = true;
    bench.hooks.transformRequest.push({
      name: 'flood',
      breaksCache: false,
      run: (request) =>
        Promise.resolve(
          flood
            ? {
                request: {
                  ...request,
                  messages: [...request.messages, { role: 'user', content: [{ type: 'text', text: 'x'.repeat(20_000) }] }],
                },
                replacedConversation: false,
              }
            : null,
        ),
    });
    await expect(session.send('Two').result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED' });
    flood = false;
    await session.send('Three').result;
    expect(await reasons(bench)).toEqual([null, null, null]);
  });
});

it.each([
  [false, 1],
  [true, 2],
])('assembles a request once, and again only when room was made (%s)', async (changed, times) => {
  const bench = new KernelBench();
  let planned = 0;
  const { session } = await bench.open({
    windowTokens: 1_000,
    engine: {
      plan: (request) => {
        planned += 1;
        return whole(request);
      },
    },
    climb: ({ trigger }) => Promise.resolve({ changed: changed && trigger === 'threshold', declined: [] }),
  });
  await session.send('x'.repeat(2_600)).result;
  expect(planned).toBe(times);
});

it('plans again when the ladder made no room but wrote something down: a plan ends at the leaf', async () => {
  const bench = new KernelBench();
  const ends: string[] = [];
  const opened = await bench.open({
    windowTokens: 1_000,
    engine: {
      plan: (request) => {
        ends.push(request.branch.last);
        return whole(request);
      },
    },
    climb: async ({ trigger }) => {
      if (trigger === 'threshold')
        await opened.kit.journal.append([
          opened.kit.drafts.plain({ kind: 'custom', by: 'host', key: 'noted', data: null, shown: null }, null),
        ]);
      return { changed: false, declined: [] };
    },
  });
  await opened.session.send('x'.repeat(2_600)).result;
  const step = (await bench.entries()).find((entry) => entry.kind === 'step');
  expect(step?.kind === 'step' ? step.plan.segments.at(-1)?.through : null).toBe(step?.parent);
  expect(ends).toHaveLength(2);
});

it('rebuilds a request by hash in every step of a tool loop', async () => {
  const bench = new KernelBench();
  const { session } = await bench.open({
    model: new TalkingModel((_request, _options, call) => (call < 3 ? { calls: ['look'] } : 'done')),
    tools: [tool('look', () => Promise.resolve('seen'))],
  });
  await session.send('Go').result;
  expect(await reasons(bench)).toEqual([null, null, null, null]);
  for (let step = 1; step <= 4; step += 1) expect(await session.why(step)).toMatchObject({ verified: true });
});
