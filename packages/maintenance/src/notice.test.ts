import { expect, it } from 'vitest';
import type { EntryId } from '@palimpsest/contracts';
import { testMeasure } from '../test/counting.ts';
import { leftOutBy, noticeSegment, noticeText } from './notice.ts';

const through = 'e9' as EntryId;

it.each([
  { messages: 1, summaries: 0, tokens: 7 },
  { messages: 468, summaries: 1, tokens: 183_000 },
  { messages: 0, summaries: 3, tokens: 12 },
])('carries its figures: %o', (leftOut) => {
  const segment = noticeSegment(through, leftOut, testMeasure);
  expect(leftOutBy({ kind: 'summary', through, by: through, tokens: segment.tokens, segment })).toEqual(leftOut);
});

it('speaks plainly', () => {
  expect(noticeText({ messages: 1, summaries: 2, tokens: 40 })).toBe(
    '[Left out here to fit the context window: 1 message and 2 earlier summaries, about 40 tokens. The session log keeps all of it.]',
  );
});

it('takes nothing else for a notice: neither its words without the figures nor figures on another summary', () => {
  const segment = noticeSegment(through, { messages: 1, summaries: 0, tokens: 7 }, testMeasure);
  const { leftOut: _figures, ...words } = segment;
  for (const other of [words, { ...segment, quality: 'model' as const }])
    expect(leftOutBy({ kind: 'summary', through, by: through, tokens: 1, segment: other })).toBeNull();
});
