import { describe, expect, it } from 'vitest';
import type { Artifact } from '@palimpsest/contracts';
import { artifactIdOf } from '../hash.ts';
import { checkedOutcome } from './outcome.ts';

function made(more: object = {}): Artifact {
  return { id: artifactIdOf('summary', 'what was said'), kind: 'summary', session: null, body: 'what was said', source: null, madeBy: null, tokens: 3, ...more };
}
const segments = [{ through: 'e1', show: 'summary', text: { inline: 'earlier' }, tokens: 1, quality: 'model', trust: 'tool' }];
const compacted = (drafts: object): unknown => ({ kind: 'compacted', drafts });

describe('an artifact under an id that is not the hash of its kind and body', () => {
  it.each<[string, unknown]>([
    ['stands for another body', compacted({ artifacts: [made({ body: 'tiny' })] })],
    ['stands for another kind', compacted({ artifacts: [made(), made({ kind: 'note' })] })],
    ['is prepared for later', { kind: 'prepared', artifacts: [made({ id: 'a'.repeat(32) })] }],
  ])('is refused and named where it %s', (_name, answer) => {
    expect(checkedOutcome(answer)).toEqual({ rule: 'artifact-forged', problem: expect.stringContaining('is not named by the hash') as string });
  });

  it('is no fault of honest ones', () => {
    for (const answer of [compacted({ compaction: { segments }, artifacts: [made()] }), { kind: 'prepared', artifacts: [made()] }])
      expect(checkedOutcome(answer)).toEqual({ outcome: answer });
  });
});

it('hands on a copy that the engine cannot reach', () => {
  const answer = {
    kind: 'compacted',
    drafts: { compaction: { segments: structuredClone(segments), details: { seen: ['a'] } }, reductions: [{ entry: 'e2', part: null, target: 'text', text: 'short', tokens: 1, reason: 'windowed' }], artifacts: [made()] },
  };
  const before = structuredClone(answer);
  const checked = checkedOutcome(answer);
  for (const segment of answer.drafts.compaction.segments) segment.text.inline = 'another text, and a long one';
  answer.drafts.compaction.details.seen.push('b');
  for (const one of [...answer.drafts.reductions, ...answer.drafts.artifacts]) Object.assign(one, { text: 'x', body: 'x' });
  answer.drafts.artifacts.length = 0;
  expect(checked).toEqual({ outcome: before });
});
