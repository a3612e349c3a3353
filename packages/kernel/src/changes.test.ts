import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Entry, ModelRequest } from '@palimpsest/contracts';
import { compactionDraft, draftOf, userDraft } from '@palimpsest/testing';
import { fourCharacters, plainRenderer } from '../test/plain-prompt.ts';
import { KernelBench, noClaims, TalkingModel, whole, type OpenAsk } from '../test/bench.ts';

const [ours, theirs] = ['anthropic:ours/one', 'openai-chat:theirs/two'];

/** Thinks aloud in 1,000 tokens that only its own provider can read, and says little. */
const thinking = (route: string): TalkingModel => {
  const provider = route === ours ? 'ours' : 'theirs';
  return new TalkingModel(
    () => ({
      parts: [
        { type: 'opaque', provider, format: 'thinking', bytes: 't'.repeat(4_000) },
        { type: 'text', text: 'short' },
      ],
    }),
    route,
  );
};

const changesIn = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ kind }) => kind === 'model-change' || kind === 'engine-change');
const stepsIn = (entries: readonly Entry[]): readonly (Entry & { readonly kind: 'step' })[] =>
  entries.flatMap((entry) => (entry.kind === 'step' ? [entry] : []));
const opaqueIn = (request: ModelRequest | undefined): number => JSON.stringify(request).split('"opaque"').length - 1;

/** One turn on a session that was opened for it. */
async function turn(bench: KernelBench, ask: OpenAsk, text = 'Go'): Promise<void> {
  const { session } = await bench.open(ask);
  await session.send(text).result;
  await session.close();
}

/** What the last step was judged as, and what its request costs, counted anew. */
async function judgedAndSent(bench: KernelBench, request: ModelRequest | undefined): Promise<readonly [number, number]> {
  const judged = stepsIn(await bench.entries()).at(-1)?.judgement.tokens ?? 0;
  const counts = await Promise.all(
    (request?.messages ?? []).map((message) => fourCharacters.count(plainRenderer.countable(message, request?.route).text)),
  );
  const fixed = stepsIn(await bench.entries()).at(-1)?.budget.fixed.total ?? 0;
  return [judged, fixed + counts.reduce((sum, one) => sum + one, 0)];
}

describe('a session that is opened on another model', () => {
  it('says so at its first turn, and names the break', async () => {
    const bench = new KernelBench();
    await turn(bench, { model: new TalkingModel(undefined, ours) });
    await turn(bench, { model: new TalkingModel(undefined, theirs) });
    await turn(bench, { model: new TalkingModel(undefined, theirs) });
    const entries = await bench.entries();
    expect(changesIn(entries)).toMatchObject([{ kind: 'model-change', model: theirs, role: 'permanent', reason: 'user' }]);
    expect(stepsIn(entries).map(({ breakReason }) => breakReason)).toEqual([null, 'model-change', null]);
    expect(stepsIn(entries)[1]?.epoch).toBe(changesIn(entries)[0]?.id);
  });

  it('writes nothing by being opened and looked at', async () => {
    const bench = new KernelBench();
    await turn(bench, { model: new TalkingModel(undefined, ours) });
    const before = await bench.entries();
    const { session } = await bench.open({ model: new TalkingModel(undefined, theirs), engineName: 'other@1' });
    await session.status();
    await session.why();
    await session.close();
    expect(await bench.entries()).toEqual(before);
  });

  it("says so in a host's own loop, too", async () => {
    const bench = new KernelBench();
    await turn(bench, { model: new TalkingModel(undefined, ours) });
    const { session } = await bench.open({ model: new TalkingModel(undefined, theirs) });
    await session.loop.submit('Go');
    expect(await session.loop.prepare()).toMatchObject({ why: { breakReason: 'model-change' } });
  });

  it('sends no opaque part of the other route, and counts none; nor later, nor on its own route again', async () => {
    const bench = new KernelBench();
    const [first, second, third] = [thinking(ours), thinking(theirs), thinking(ours)];
    await turn(bench, { model: first });
    await turn(bench, { model: first });
    expect(opaqueIn(first.requests[1])).toBe(1);
    expect(stepsIn(await bench.entries())[1]?.judgement.tokens).toBeGreaterThan(1_000);
    await turn(bench, { model: second });
    const [judged, sent] = await judgedAndSent(bench, second.requests[0]);
    expect([opaqueIn(second.requests[0]), judged]).toEqual([0, sent]);
    expect(judged).toBeLessThan(400);
    await turn(bench, { model: second });
    expect(opaqueIn(second.requests[1])).toBe(1);
    await turn(bench, { model: third });
    const back = await judgedAndSent(bench, third.requests[0]);
    expect([opaqueIn(third.requests[0]), back[0]]).toEqual([0, back[1]]);
    await turn(bench, { model: third });
    expect(opaqueIn(third.requests[1])).toBe(1);
    expect(stepsIn(await bench.entries()).map(({ breakReason }) => breakReason)).toEqual([
      null,
      null,
      'model-change',
      null,
      'model-change',
      null,
    ]);
  });

  it('counts what it sends on the same route, step by step', async () => {
    const bench = new KernelBench();
    const model = thinking(ours);
    const { session } = await bench.open({ model });
    for (let count = 0; count < 4; count += 1) {
      await session.send('Go').result;
      const [judged, sent] = await judgedAndSent(bench, model.requests.at(-1));
      expect([opaqueIn(model.requests.at(-1)), judged]).toEqual([count, sent]);
    }
  });

  it('is honest about replies that no step of ours made, whatever they were counted as', async () => {
    const bench = new KernelBench();
    const opaque: AssistantMessage = {
      role: 'assistant',
      content: [
        { type: 'opaque', provider: 'ours', format: 'thinking', bytes: 't'.repeat(4_000) },
        { type: 'text', text: 'short' },
      ],
    };
    const model = thinking(ours);
    const { session, kit } = await bench.open({ model });
    const hold = await kit.journal.hold();
    const prompt = await kit.views.changeDrafts(null);
    await kit.journal.append(
      [
        ...prompt.drafts,
        userDraft('imported', { tokens: 5 }),
        draftOf({ kind: 'message', origin: 'model', message: opaque }, { tokens: 5 }),
      ],
      prompt.artifacts,
    );
    await hold.release();
    await session.send('Go').result;
    const judged = stepsIn(await bench.entries()).at(-1)?.judgement.tokens ?? 0;
    expect([opaqueIn(model.requests[0]), judged < 200]).toEqual([0, true]);
    expect(changesIn(await bench.entries())).toHaveLength(1);
  });

  it('is told from what stands behind a compaction, and on each branch by itself', async () => {
    const bench = new KernelBench();
    const opened = await bench.open({ model: new TalkingModel(undefined, ours) });
    await opened.session.send('One').result;
    const fork = opened.kit.journal.branch().last;
    await opened.session.send('Two').result;
    await opened.session.close();
    const again = await bench.open({ model: new TalkingModel(undefined, theirs) });
    await again.session.send('Three').result;
    const through = again.kit.journal.branch().last;
    await again.session.send('Four').result;
    const hold = await again.kit.journal.hold();
    await again.kit.journal.append([
      compactionDraft([{ through, show: 'summary', text: { inline: 'all of it' }, tokens: 3, quality: 'model', trust: 'user' }]),
    ]);
    await hold.release();
    await again.session.close();
    await turn(bench, { model: new TalkingModel(undefined, theirs) }, 'Five');
    expect(changesIn(await bench.entries())).toHaveLength(1);
    const back = await bench.open({ model: new TalkingModel(undefined, theirs) });
    await back.session.moveTo(fork);
    await back.session.send('Two, differently').result;
    expect(changesIn(await bench.entries())).toHaveLength(2);
    expect(stepsIn(await bench.entries()).at(-1)?.breakReason).toBe('model-change');
  });
});

describe('a session that is opened with another engine', () => {
  it.each([
    ['another one', 'a@1.0.0', 'b@1.0.0', {}, 'user'],
    ['another version', 'a@1.0.0', 'a@1.1.0', {}, 'version'],
    [
      'one that stands in for what was asked for',
      'a@1.0.0',
      'b@1.0.0',
      { substitution: { what: 'engine a', why: 'not found' } },
      'substitution',
    ],
  ])('says so at its first turn, and names the break: %s', async (_name, from, to, guard, reason) => {
    const bench = new KernelBench();
    await turn(bench, { engineName: from });
    await turn(bench, { engineName: to, guard });
    await turn(bench, { engineName: to, guard });
    const entries = await bench.entries();
    expect(changesIn(entries)).toMatchObject([{ kind: 'engine-change', from, to, reason }]);
    expect(stepsIn(entries).map(({ breakReason }) => breakReason)).toEqual([null, 'engine-change', null]);
  });

  it('says nothing of an engine that stood in for a turn', async () => {
    const bench = new KernelBench();
    let broken = true;
    const { session } = await bench.open({
      engineName: 'a@1',
      engine: {
        plan: (request) => {
          if (broken) throw new Error('broken');
          return whole(request);
        },
      },
      guard: { fallback: { name: 'spare@1', engine: { plan: whole }, claims: noClaims } },
    });
    await session.send('One').result;
    broken = false;
    await session.send('Two').result;
    const entries = await bench.entries();
    expect(changesIn(entries)).toEqual([]);
    expect(stepsIn(entries).map(({ engine, chosen = null }) => [engine, chosen])).toEqual([
      ['spare@1', 'a@1'],
      ['a@1', null],
    ]);
  });
});

it('stops counting opaque parts once a compaction has ended their epoch, as its preview has said', async () => {
  const bench = new KernelBench();
  const { session, kit } = await bench.open({ model: thinking(ours) });
  await session.send('One').result;
  const through = kit.journal.branch().last;
  for (const text of ['Two', 'Three']) await session.send(text).result;
  const before = kit.journal.shownTokens;
  const compaction = {
    segments: [{ through, show: 'summary' as const, text: { inline: 's' }, tokens: 3, quality: 'model' as const, trust: 'user' as const }],
  };
  const { shownTokens } = await kit.journal.preview({ compaction });
  const hold = await kit.journal.hold();
  await kit.journal.append([compactionDraft(compaction.segments)]);
  await hold.release();
  expect(before).toBeGreaterThan(3_000);
  expect(kit.journal.shownTokens).toBeLessThan(200);
  expect(kit.journal.shownTokens).toBe(shownTokens);
  await session.close();
  const again = await bench.open({ model: thinking(ours) });
  expect(again.kit.journal.shownTokens).toBe(shownTokens);
});
