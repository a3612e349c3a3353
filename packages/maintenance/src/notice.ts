/** The line that stands for what a trim left out, and its figures, so that neighbouring notices become one. Pure. */
import type { EntryId, LeftOut, Shown, SummarySegment } from '@palimpsest/contracts';
import type { Measure } from './measure.ts';

export function noticeText({ messages, summaries, tokens }: LeftOut): string {
  const also = summaries === 0 ? '' : ` and ${String(summaries)} earlier ${summaries === 1 ? 'summary' : 'summaries'}`;
  const what = `${String(messages)} ${messages === 1 ? 'message' : 'messages'}${also}, about ${String(tokens)} tokens`;
  return `[Left out here to fit the context window: ${what}. The session log keeps all of it.]`;
}

/** The figures of a notice that an earlier trim wrote; null for anything else. */
export function leftOutBy(block: Shown): LeftOut | null {
  return block.kind === 'summary' && block.segment.quality === 'notice' ? (block.segment.leftOut ?? null) : null;
}

/** The host's own words, so no more trust than the model's. */
export function noticeSegment(through: EntryId, leftOut: LeftOut, measure: Pick<Measure, 'summary'>): SummarySegment {
  const text = noticeText(leftOut);
  return {
    through,
    show: 'summary',
    text: { inline: text },
    tokens: measure.summary(text),
    quality: 'notice',
    trust: 'assistant',
    leftOut,
  };
}
