import { expect, it } from 'vitest';
import type { Artifact, ArtifactId, EntryId, ReductionItem, SummarySegment } from '@palimpsest/contracts';
import { branchOf } from '../test/branch.ts';
import { testMeasure } from '../test/counting.ts';
import { recounted } from './recount.ts';

const shown = branchOf([
  { user: 'go' },
  {
    calls: [
      { tool: 'read', input: {}, result: 'x'.repeat(4_000) },
      { tool: 'read', input: {}, result: 'y'.repeat(4_000) },
    ],
  },
]);
const summary = (text: SummarySegment['text']): SummarySegment => ({
  through: 'e1' as EntryId,
  show: 'summary',
  text,
  tokens: 7,
  quality: 'model',
  trust: 'user',
});
const item = (entry: string, target: ReductionItem['target'], text: string): ReductionItem => ({
  entry: entry as EntryId,
  part: target === 'text' ? null : 'c0',
  target,
  text,
  tokens: 7,
  reason: 'masked',
});

it('summaries cost what they will stand as: inline, from a new artifact; one in the store already keeps its figure', () => {
  const artifact = { id: 'new' as ArtifactId, body: 'b'.repeat(400) } as Artifact;
  const { compaction } = recounted(
    {
      compaction: {
        segments: [
          summary({ inline: 'a'.repeat(400) }),
          summary({ artifact: artifact.id }),
          summary({ artifact: 'old' as ArtifactId }),
          { through: 'e1' as EntryId, show: 'entries' },
        ],
      },
      artifacts: [artifact],
    },
    shown,
    testMeasure,
  );
  const cost = testMeasure.summary('a'.repeat(400));
  expect(compaction?.segments.map((segment) => (segment.show === 'summary' ? segment.tokens : null))).toEqual([cost, cost, 7, null]);
});

it('items of one entry carry its final total; items of what is not shown are left out', () => {
  const { reductions } = recounted(
    {
      reductions: [
        item('e2', 'text', 'called two'),
        item('e2', 'arguments', '{}'),
        item('e3', 'result', 'short'),
        item('gone', 'result', 'short'),
      ],
    },
    shown,
    testMeasure,
  );
  expect(reductions?.map(({ entry }) => entry)).toEqual(['e2', 'e2', 'e3']);
  expect(reductions?.[0]?.tokens).toBe(reductions?.[1]?.tokens);
  expect(reductions?.[2]?.tokens).toBe(
    testMeasure.message(
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c0', toolName: 'read', output: { type: 'text', value: 'short' } }] },
      [],
    ),
  );
});

it('leaves out what is not there', () => {
  expect(recounted({}, shown, testMeasure)).toEqual({});
});
