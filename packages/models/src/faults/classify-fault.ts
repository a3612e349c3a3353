import type { ModelFault } from '@palimpsest/contracts';
import { evidenceOf, type Evidence } from './evidence.ts';
import {
  authTexts,
  bothTexts,
  invalidTexts,
  networkTexts,
  outputCapTexts,
  overflowTexts,
  overloadedTexts,
  payloadTexts,
  quotaCodes,
  quotaTexts,
  rateTexts,
} from './patterns.ts';
import { statedTokens } from './stated-tokens.ts';

type Kind = ModelFault['kind'];
type Rule = readonly [kind: Kind, holds: (evidence: Evidence) => boolean];

/**
 * First match wins. Limits over time and money come before overflow because they speak of tokens too; overflow comes before sizes and
 * statuses because the status says nothing reliable: overflows arrive as 400, 403, 413 and 500.
 */
const rules: readonly Rule[] = [
  ['quota', ({ status, text }) => status === 402 || quotaCodes.test(text)],
  ['rate_limit', ({ status, text }) => status === 429 || rateTexts.test(text)],
  ['quota', ({ text }) => quotaTexts.test(text)],
  ['output_cap', ({ text }) => outputCapTexts.test(text) && !bothTexts.test(text)],
  ['overflow', ({ text }) => overflowTexts.test(text)],
  ['payload_size', ({ status, text }) => status === 413 || payloadTexts.test(text)],
  ['overloaded', ({ status, text }) => (status ?? 0) >= 500 || overloadedTexts.test(text)],
  ['auth', ({ status, text }) => status === 401 || status === 403 || authTexts.test(text)],
  ['invalid', ({ status, text }) => (status ?? 0) >= 400 || invalidTexts.test(text)],
  ['network', ({ text }) => networkTexts.test(text)],
];

/**
 * What a provider refused, from whatever was thrown, streamed or returned for it. Never throws. `unknown` when nothing is recognised;
 * `limit` and `requested` are tokens, and only there when stated.
 */
export function classifyFault(error: unknown): ModelFault {
  const evidence = evidenceOf(error);
  const kind = rules.find(([, holds]) => holds(evidence))?.[0] ?? 'unknown';
  return { kind, message: evidence.message, ...statedTokens(kind, evidence.text) };
}
