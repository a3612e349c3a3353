import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeOf, isShownEntry, type Segment } from '@palimpsest/contracts';
import { callDraft, resultDraft, userDraft } from '@palimpsest/testing';
import { acts, append, edgesOf, emptySample, play } from '../../test/sample-path.ts';
import { blocksOf } from './blocks.ts';
import { bySegment, completed, covered, violations } from './segments.ts';

const runs = { seed: 11, numRuns: 200 };
const summary = { show: 'summary', text: { inline: 's' }, tokens: 1, quality: 'stub', trust: 'tool' } as const;
let sessions = 0;

describe('segments', () => {
  it('any edges that the rules allow partition the path, in order and without a rest', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.array(fc.nat(1000), { maxLength: 5 }), async (list, picks) => {
        const sample = await emptySample(`p${String(++sessions)}`);
        await play(sample, list);
        const { units } = sample.path;
        const last = units.at(-1);
        if (last === undefined) return;
        const edges = edgesOf(units, null);
        const chosen = [...new Set(picks.map((pick) => edges[pick % Math.max(1, edges.length)]))].filter((id) => id !== undefined);
        const ordered = units.map(edgeOf).filter((id) => chosen.includes(id) || id === edgeOf(last));
        const segments: Segment[] = ordered.map((through, at) => (at % 2 === 0 ? { through, show: 'entries' } : { through, ...summary }));
        expect(violations(units, segments, { whole: true, mustShow: null })).toEqual([]);
        expect(bySegment(units, segments).flatMap((part) => part.units)).toEqual(units);
        expect(completed(units, completed(units, segments))).toEqual(completed(units, segments));
        expect(covered(units, completed(units, segments), edgeOf(last)).filter(isShownEntry).length).toBe(
          blocksOf(units, { segments, estimateTokens: 0 }).filter((block) => block.kind === 'entry').length,
        );
      }),
      runs,
    );
  });

  it('names what is wrong', async () => {
    const sample = await emptySample('wrong');
    await append(sample, [
      userDraft('a'),
      callDraft({ toolCallId: 'c', toolName: 'read', input: {} }),
      resultDraft('c', 'r'),
      userDraft('b'),
    ]);
    const { units } = sample.path;
    const [a, call, result, b] = units.map(edgeOf) as [never, never, never, never];
    const rules = { whole: true, mustShow: b };
    const named = (segments: readonly Segment[]): readonly string[] => violations(units, segments, rules).map(({ rule }) => rule);
    expect(
      named([
        { through: call, show: 'entries' },
        { through: b, show: 'entries' },
      ]),
    ).toEqual(['pair-cut']);
    expect(
      named([
        { through: result, show: 'entries' },
        { through: a, show: 'entries' },
        { through: b, show: 'entries' },
      ]),
    ).toEqual(['edge-order']);
    expect(
      named([
        { through: 'x' as never, show: 'entries' },
        { through: b, show: 'entries' },
      ]),
    ).toEqual(['edge-unknown']);
    expect(named([{ through: result, show: 'entries' }])).toEqual(['not-whole']);
    expect(named([{ through: b, ...summary }])).toEqual(['newest-user-entry']);
    expect(named([])).toEqual(['not-whole']);
    expect(
      named([
        { through: result, ...summary },
        { through: b, show: 'entries' },
      ]),
    ).toEqual([]);
  });

  it('a snapshot repeats summaries and gaps that stand within shown stretches, also behind its end', async () => {
    const sample = await emptySample('snapshot');
    await append(sample, [userDraft('a'), userDraft('b'), userDraft('c'), userDraft('d')]);
    const [a, b, c, d] = sample.path.units.map(edgeOf) as [never, never, never, never];
    sample.path.suppose(
      {
        compaction: {
          segments: [
            { through: a, show: 'entries' },
            { through: b, ...summary },
            { through: c, show: 'nothing', reason: 'r', reach: null },
          ],
        },
      },
      a,
    );
    expect(sample.path.units.map((unit) => unit.kind)).toEqual(['entry', 'summary', 'gap', 'entry']);
    expect(completed(sample.path.units, [{ through: a, show: 'entries' }]).map(({ show }) => show)).toEqual([
      'entries',
      'summary',
      'nothing',
    ]);
    expect(completed(sample.path.units, [{ through: d, show: 'entries' }]).map(({ through }) => through)).toEqual([a, b, c, d]);
  });
});
