import type { Placed } from '@palimpsest/contracts';
import { merged } from './document.ts';
import { extracted } from './extract.ts';
import { fitted } from './fit.ts';
import { parsed } from './format.ts';
import { redact } from './redact.ts';

export interface StructuredSummaryAsk {
  /** What is to be covered, oldest first. */
  readonly source: readonly Placed[];
  /** The summary of what came before; null: nothing did. */
  readonly prior: string | null;
  readonly focus: string | null;
  /** By `count`, inclusive. */
  readonly maxTokens: number;
  count(text: string): number;
}

/**
 * A summary without a model: what is in the entries, sorted, redacted and cut to size. Deterministic, and never throws whatever
 * the messages hold. '' where there is nothing to say or no room for any of it.
 */
export function structuredSummary({ source, prior, focus, maxTokens, count }: StructuredSummaryAsk): string {
  const own = extracted(source, focus);
  return fitted(prior === null ? own : merged(parsed(redact(prior)), own), maxTokens, (text) => count(text));
}
