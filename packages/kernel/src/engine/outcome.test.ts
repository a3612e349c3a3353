import { describe, expect, it } from 'vitest';
import type { Artifact, SessionId } from '@palimpsest/contracts';
import { artifactIdOf } from '../hash.ts';
import { checkedOutcome } from './outcome.ts';

const S = 's' as SessionId;
function made(more: object = {}): Artifact {
  return {
    id: artifactIdOf('summary', 'what was said'),
    kind: 'summary',
    session: null,
    body: 'what was said',
    source: null,
    madeBy: null,
    tokens: 3,
    ...more,
  };
}
const segments = [{ through: 'e1', show: 'summary', text: { inline: 'earlier' }, tokens: 1, quality: 'model', trust: 'tool' }];
const compacted = (drafts: object): unknown => ({ kind: 'compacted', drafts });

describe('an artifact under an id that is not the hash of its kind and body', () => {
  it.each<[string, unknown]>([
    ['stands for another body', compacted({ artifacts: [made({ body: 'tiny' })] })],
    ['stands for another kind', compacted({ artifacts: [made(), made({ kind: 'note' })] })],
    ['is prepared for later', { kind: 'prepared', artifacts: [made({ id: 'a'.repeat(32) })] }],
  ])('is refused and named where it %s', (_name, answer) => {
    expect(checkedOutcome(answer, S)).toEqual({
      rule: 'artifact-forged',
      problem: expect.stringContaining('is not named by the hash') as string,
    });
  });

  it('is no fault of honest ones', () => {
    for (const answer of [compacted({ compaction: { segments }, artifacts: [made()] }), { kind: 'prepared', artifacts: [made()] }])
      expect(checkedOutcome(answer, S)).toEqual({ outcome: answer });
  });
});

it('hands on a copy that the engine cannot reach', () => {
  const answer = {
    kind: 'compacted',
    drafts: {
      compaction: { segments: structuredClone(segments), details: { seen: ['a'] } },
      reductions: [{ entry: 'e2', part: null, target: 'text', text: 'short', tokens: 1, reason: 'windowed' }],
      artifacts: [made()],
    },
  };
  const before = structuredClone(answer);
  const checked = checkedOutcome(answer, S);
  for (const segment of answer.drafts.compaction.segments) segment.text.inline = 'another text, and a long one';
  answer.drafts.compaction.details.seen.push('b');
  for (const one of [...answer.drafts.reductions, ...answer.drafts.artifacts]) Object.assign(one, { text: 'x', body: 'x' });
  answer.drafts.artifacts.length = 0;
  expect(checked).toEqual({ outcome: before });
});

describe('an outcome that could not be written', () => {
  const about = (more: object): unknown => compacted({ compaction: { segments }, artifacts: [made(more)] });
  it.each<[string, unknown, string]>([
    ['waits for an instant that no date names', { kind: 'deferred', until: { atMs: 1e20 } }, 'outcome-invalid'],
    ['holds an artifact of another session', about({ session: 'nobody' }), 'artifact-foreign'],
    ['holds an artifact of no session at all', about({ session: undefined }), 'outcome-invalid'],
    ['says by a function who made an artifact', about({ madeBy: () => 1 }), 'outcome-invalid'],
    ['has half a token', about({ tokens: 1.5 }), 'outcome-invalid'],
    ['has fewer than no tokens', about({ tokens: -1 }), 'outcome-invalid'],
    ['names its source by half a number', about({ source: { firstSeq: 1, lastSeq: 1.5 } }), 'outcome-invalid'],
  ])('is refused where it %s', (_name, answer, rule) => {
    expect(checkedOutcome(answer, S)).toMatchObject({ rule });
  });

  it('loses what no entry has a field for', () => {
    expect(
      checkedOutcome(
        compacted({ compaction: { segments: segments.map((segment) => ({ ...segment, extra: () => 1 })), more: () => 1 } }),
        S,
      ),
    ).toEqual({ outcome: compacted({ compaction: { segments } }) });
  });

  it('is none with its own session, or a date far away', () => {
    for (const answer of [
      about({ session: 's', source: { firstSeq: 1, lastSeq: 2 }, madeBy: { by: ['x'] } }),
      { kind: 'deferred', until: { atMs: 8.64e15 } },
    ])
      expect(checkedOutcome(answer, S)).toEqual({ outcome: answer });
  });
});
