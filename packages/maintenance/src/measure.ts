import { IMAGE_TOKENS, reducedMessage } from '@palimpsest/contracts';
import type { Message, ReductionItem, Renderer, TokenCounter } from '@palimpsest/contracts';

/** The host's one metric, as the planners need it: pure functions from text to tokens. */
export interface Measure {
  text(text: string): number;
  /** A summary's text with the wrapper it is rendered in. */
  summary(text: string): number;
  /** A whole message as it stands in a request once these items are in force. */
  message(message: Message, items: readonly ReductionItem[]): number;
}

/**
 * Counts as entries are counted when they are appended: the text of the rendered message, plus a flat cost per image; without opaque parts:
 * a reduction ends the epoch in which they are sent.
 */
export function measureOf(counter: Pick<TokenCounter, 'countNow'>, renderer: Pick<Renderer, 'countable' | 'summaryText'>): Measure {
  return {
    text: (text) => counter.countNow(text),
    summary: (text) => counter.countNow(renderer.summaryText(text)),
    message: (message, items) => {
      const { text, images } = renderer.countable(reducedMessage(message, items));
      return text === '' ? 0 : counter.countNow(text) + images * IMAGE_TOKENS;
    },
  };
}
