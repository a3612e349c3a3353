import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeOf, isShownEntry, isSilent, type Draft } from '@palimpsest/contracts';
import { callDraft, compactionDraft, draftOf, resultDraft, userDraft } from '@palimpsest/testing';
import { acts, append, emptySample, everyEntry, play, readerOf, type Sample } from '../../test/sample-path.ts';
import { loadPath } from './load.ts';

const runs = { seed: 7, numRuns: 150 };
let sessions = 0;

async function played(list: Parameters<typeof play>[1]): Promise<Sample> {
  const sample = await emptySample(`s${String(++sessions)}`);
  await play(sample, list);
  return sample;
}

describe('the fold of a path', () => {
  it('folded forward and loaded anew are the same', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const sample = await played(list);
        const loaded = await loadPath({ log: sample.store.log, session: sample.session }, sample.path.marks.last?.id ?? null);
        expect(loaded.units).toEqual(sample.path.units);
        expect(loaded.shownTokens).toBe(sample.path.shownTokens);
        expect(loaded.marks).toEqual(sample.path.marks);
        expect(loaded.openCalls()).toEqual(sample.path.openCalls());
      }),
      runs,
    );
  });

  it('accounts for every entry: shown, covered by a unit, or silent', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const sample = await played(list);
        if (sample.path.marks.last === null) return;
        const seen: string[] = [];
        for await (const placed of readerOf(sample).oldestFirst(null)) {
          seen.push(placed.entry.id);
          if (placed.shape.kind !== 'covered') expect(placed.shape.kind === 'silent').toBe(isSilent(placed.entry));
          else expect(placed.shownTokens).toBe(0);
        }
        expect(seen).toEqual((await everyEntry(sample)).map(({ id }) => id));
      }),
      runs,
    );
  });

  it('reads newest first what it reads oldest first, from any entry', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(1000), async (list, at) => {
        const sample = await played(list);
        if (sample.path.marks.last === null) return;
        const reader = readerOf(sample);
        const all = await everyEntry(sample);
        const from = all[at % all.length];
        if (from === undefined) return;
        const down: string[] = [];
        for await (const { entry } of reader.newestFirst(from.id)) down.push(entry.id);
        expect(down.reverse()).toEqual(all.slice(0, (at % all.length) + 1).map(({ id }) => id));
        const up: string[] = [];
        for await (const { entry } of reader.oldestFirst(from.id)) up.push(entry.id);
        expect(up).toEqual(all.slice((at % all.length) + 1).map(({ id }) => id));
        expect((await reader.get(from.id))?.entry.id).toBe(from.id);
      }),
      runs,
    );
  });

  it('adds up: shown tokens are those of the units', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const { path } = await played(list);
        const sum = path.units.reduce((total, unit) => total + (unit.kind === 'entry' ? unit.placed.shownTokens : unit.tokens), 0);
        expect(path.shownTokens).toBe(sum);
      }),
      runs,
    );
  });

  it('an undo brings back exactly what stood before the maintenance it lifts', async () => {
    const sample = await emptySample('undo');
    await play(sample, [{ kind: 'user' }, { kind: 'tools', results: 2 }, { kind: 'answer' }, { kind: 'user' }]);
    const before = sample.path.units.filter(isShownEntry).map(edgeOf);
    await play(sample, [{ kind: 'compact', at: 2, keep: 1 }]);
    expect(sample.path.units.filter(isShownEntry).map(edgeOf)).not.toEqual(before);
    await play(sample, [{ kind: 'undo' }]);
    expect(sample.path.units.filter(isShownEntry).map(edgeOf)).toEqual(before);
    expect(sample.path.marks.compaction).toBeNull();
  });

  it('a result belongs to the group of the newest message that asked, also where call ids repeat', async () => {
    const sample = await emptySample('groups');
    await append(sample, [
      userDraft('a'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'one'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'two'),
    ]);
    const [, first, one, second, two] = sample.path.units.filter(isShownEntry).map(({ placed }) => placed);
    expect(one?.group).toBe(first?.entry.id);
    expect(two?.group).toBe(second?.entry.id);
    expect(sample.path.openCalls()).toBeNull();
  });

  it('an imported compaction is kept and never in force', async () => {
    const sample = await emptySample('imported');
    await append(sample, [userDraft('a')]);
    await append(sample, [
      { ...compactionDraft([]), hidden: true },
      draftOf({ kind: 'label', target: sample.path.marks.last?.id ?? ('' as never), label: 'x' }),
    ]);
    expect(sample.path.marks.compaction).toBeNull();
    expect(sample.path.marks.liftable).toBeNull();
  });

  it('a reduction shows less, also on an entry kept in front of a summary and after loading', async () => {
    const sample = await emptySample('reduced');
    await append(sample, [
      userDraft('a'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'long '.repeat(100)),
    ]);
    const before = sample.path.shownTokens;
    const result = sample.path.marks.last?.id ?? ('' as never);
    await append(sample, [
      draftOf({
        kind: 'reduction',
        by: 'host',
        trigger: 'threshold',
        items: [{ entry: result, part: 'c', target: 'result', text: 'short', tokens: 3, reason: 'pruned' }],
        tokensBefore: 0,
        tokensAfter: 0,
      }),
    ]);
    expect(sample.path.shownTokens).toBeLessThan(before);
    await append(sample, [userDraft('b'), userDraft('c')]);
    const b = sample.path.units.map(edgeOf).at(-2) ?? ('' as never);
    await append(sample, [
      compactionDraft([
        { through: result, show: 'entries' },
        { through: b, show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' },
      ]),
    ]);
    await append(sample, [userDraft('d')]);
    const loaded = await loadPath({ log: sample.store.log, session: sample.session }, sample.path.marks.last?.id ?? null);
    for (const path of [sample.path, loaded]) {
      const unit = path.unit(result);
      expect(unit?.kind === 'entry' && unit.placed.shape).toMatchObject({ kind: 'reduced', items: [{ text: 'short' }] });
    }
  });

  it('a reduction below a summary comes back when the summary is lifted', async () => {
    const sample = await emptySample('reduced-below');
    await append(sample, [
      userDraft('a'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'long '.repeat(100)),
      userDraft('b'),
      userDraft('c'),
    ]);
    const [, , result, b] = sample.path.units.map(edgeOf) as [never, never, never, never];
    await append(sample, [
      draftOf({
        kind: 'reduction',
        by: 'host',
        trigger: 'threshold',
        items: [{ entry: result, part: 'c', target: 'result', text: 'short', tokens: 3, reason: 'pruned' }],
        tokensBefore: 0,
        tokensAfter: 0,
      }),
    ]);
    await append(sample, [
      compactionDraft([{ through: b, show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' }]),
    ]);
    await play(sample, [{ kind: 'undo' }]);
    const unit = sample.path.unit(result);
    expect(unit?.kind === 'entry' && unit.placed.shape.kind).toBe('reduced');
    await play(sample, [{ kind: 'undo' }]);
    const whole = sample.path.unit(result);
    expect(whole?.kind === 'entry' && whole.placed.shape.kind).toBe('whole');
    await play(sample, [{ kind: 'undo' }]);
    expect(sample.path.marks.liftable).toBeNull();
  });

  it('what was lifted stays lifted below a later summary, after loading too', async () => {
    const sample = await emptySample('lifted-below');
    await append(sample, [
      userDraft('a'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'long '.repeat(100)),
    ]);
    const result = sample.path.marks.last?.id ?? ('' as never);
    await append(sample, [
      draftOf({
        kind: 'reduction',
        by: 'host',
        trigger: 'threshold',
        items: [{ entry: result, part: 'c', target: 'result', text: 'short', tokens: 3, reason: 'pruned' }],
        tokensBefore: 0,
        tokensAfter: 0,
      }),
    ]);
    await play(sample, [{ kind: 'undo' }]);
    await append(sample, [userDraft('b'), userDraft('c')]);
    const b = sample.path.units.map(edgeOf).at(-2) ?? ('' as never);
    await append(sample, [
      compactionDraft([
        { through: result, show: 'entries' },
        { through: b, show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' },
      ]),
    ]);
    const loaded = await loadPath({ log: sample.store.log, session: sample.session }, sample.path.marks.last?.id ?? null);
    expect(loaded.units).toEqual(sample.path.units);
    const unit = loaded.unit(result);
    expect(unit?.kind === 'entry' && unit.placed.shape.kind).toBe('whole');
  });

  it('knows an unanswered call when a compaction ends behind it and the path is loaded', async () => {
    const sample = await emptySample('open-call');
    await append(sample, [userDraft('a'), callDraft({ toolCallId: 'c', toolName: 'read', input: {} })]);
    const [a, call] = sample.path.units.map(edgeOf) as [never, never];
    await append(sample, [
      compactionDraft([
        { through: a, show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' },
        { through: call, show: 'entries' },
      ]),
    ]);
    const loaded = await loadPath({ log: sample.store.log, session: sample.session }, sample.path.marks.last?.id ?? null);
    expect(loaded.openCalls()?.calls.map(({ id }) => id)).toEqual(['c']);
  });

  it('finds the prompt and the step in force below a summary', async () => {
    const sample = await emptySample('bookkeeping');
    await append(sample, [
      draftOf({ kind: 'prompt', system: 's' as never, tools: 't' as never, systemTokens: 1, toolsTokens: 1 }),
      userDraft('a'),
      stepDraft(),
      userDraft('b'),
      userDraft('c'),
    ]);
    const [prompt, , step, b] = sample.path.units.map(edgeOf) as [never, never, never, never];
    await append(sample, [
      compactionDraft([{ through: b, show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' }]),
    ]);
    const { marks } = await loadPath({ log: sample.store.log, session: sample.session }, sample.path.marks.last?.id ?? null);
    expect([marks.prompt?.id, marks.step?.id]).toEqual([prompt, step]);
    expect(marks.first).toBe(prompt);
  });

  it('reads a long covered stretch in pieces, oldest first, each entry once and groups whole', async () => {
    const sample = await emptySample('long');
    for (let at = 0; at < 400; at += 1)
      await append(sample, [
        callDraft({ toolCallId: `c${String(at)}`, toolName: 'read', input: {} }),
        resultDraft(`c${String(at)}`, 'r'),
        resultDraft(`x${String(at)}`, 'r'),
      ]);
    await append(sample, [userDraft('a')]);
    const last = sample.path.units.at(-2);
    await append(sample, [
      compactionDraft([
        {
          through: last === undefined ? ('' as never) : edgeOf(last),
          show: 'summary',
          text: { inline: 's' },
          tokens: 1,
          quality: 'stub',
          trust: 'tool',
        },
      ]),
    ]);
    expect(sample.path.units.length).toBe(3);
    const groups: string[] = [];
    const ids: string[] = [];
    for await (const { entry, group } of readerOf(sample).oldestFirst(null)) {
      ids.push(entry.id);
      groups.push(group);
    }
    expect(ids).toEqual((await everyEntry(sample)).map(({ id }) => id));
    expect(new Set(groups).size).toBe(402);
  });
});

function stepDraft(): Draft {
  const tokens = { tokens: 1, origin: 'config' as const };
  return draftOf({
    kind: 'step',
    route: 'r',
    engine: 'e',
    epoch: null,
    breakReason: null,
    plan: { segments: [], estimateTokens: 0 },
    prompt: null,
    renderer: '1',
    settings: {},
    patch: null,
    hash: '',
    messages: 0,
    usage: null,
    declined: [],
    budget: {
      window: tokens,
      reserve: tokens,
      inputCap: null,
      effective: 1,
      fixed: { system: 0, tools: 0, hooks: 0, envelope: 0, total: 0 },
      available: 1,
      marks: { low: 1, prepare: 1, start: 1, hard: 1 },
    },
    judgement: { tokens: 1, mark: 'under', metric: 'count', parts: {} },
    outcome: { kind: 'refused', code: 'x' },
  });
}
