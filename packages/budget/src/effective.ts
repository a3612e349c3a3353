import type { BudgetAsk, Limit } from '@palimpsest/contracts';
import { figure } from './notes.ts';
import type { BudgetNote } from './notes.ts';

const DEFAULT_RESERVE_TOKENS = 20_000;
const DEFAULT_RESERVE_SHARE = 0.25;
/** What is kept of a request that was refused without a stated limit. */
const REFUSED_SHARE = 0.9;

export interface EffectiveBudget {
  readonly reserve: Limit;
  /** The tightest known cap on input: the route's own, or what a refusal taught. */
  readonly inputCap: Limit | null;
  readonly effective: number;
  readonly notes: readonly BudgetNote[];
}

/**
 * E = min(window - reserve, input cap, what a proven overflow allows). What the provider states is taken as tokens of the store's counter:
 * nothing has measured yet how far the two are apart. Never negative.
 */
export function effectiveBudget(ask: BudgetAsk): EffectiveBudget {
  const { window, maxOutputTokens, inputCap: own } = ask.limits;
  const reserve = outputReserve(window.tokens, maxOutputTokens);
  const refused = refusedCap(ask.refused, reserve);
  const inputCap = tighter(own === null ? null : { ...own, tokens: whole(own.tokens) }, refused);
  const open = whole(window.tokens - reserve.tokens);
  return { reserve, inputCap, effective: Math.min(open, inputCap?.tokens ?? open), notes: notesOf(ask, reserve, own, refused) };
}

function whole(tokens: number): number {
  return Math.max(0, Math.floor(tokens));
}

/** The output limit that is sent, else a quarter of the window, at most 20,000. */
export function outputReserve(windowTokens: number, maxOutputTokens: number | null): Limit {
  if (maxOutputTokens !== null && maxOutputTokens > 0) return { tokens: Math.floor(maxOutputTokens), origin: 'config' };
  return {
    tokens: Math.min(DEFAULT_RESERVE_TOKENS, Math.floor(Math.max(0, windowTokens) * DEFAULT_RESERVE_SHARE)),
    origin: 'client-default',
  };
}

function refusedCap(refused: BudgetAsk['refused'], reserve: Limit): Limit | null {
  if (refused === null) return null;
  const shrunk = Math.floor(refused.tokens * REFUSED_SHARE);
  const stated = refused.statedLimit === null ? null : whole(refused.statedLimit - reserveBelow(refused.statedLimit, reserve));
  // A stated limit above what was refused proves that the provider counts more than we do: only the refused figure leads anywhere.
  return { tokens: stated === null || stated >= refused.tokens ? shrunk : stated, origin: 'learned' };
}

/** The reserve was made for the window we believed in; where the real one is so small that it would take half of it, it is made anew. */
function reserveBelow(statedTokens: number, reserve: Limit): number {
  const own = reserve.origin !== 'client-default' || reserve.tokens * 2 < statedTokens;
  return own ? reserve.tokens : outputReserve(statedTokens, null).tokens;
}

function tighter(one: Limit | null, other: Limit | null): Limit | null {
  if (one === null || other === null) return one ?? other;
  return other.tokens < one.tokens ? other : one;
}

function notesOf(ask: BudgetAsk, reserve: Limit, own: Limit | null, refused: Limit | null): readonly BudgetNote[] {
  const { window } = ask.limits;
  const reserved =
    reserve.origin === 'config' ? 'the output limit that is sent' : 'no output limit is sent: min(20,000, 25 % of the window)';
  const stated = ask.refused?.statedLimit ?? null;
  const proof = stated === null ? '' : `, stated limit ${figure(stated)}`;
  return [
    { what: 'window', why: `${figure(window.tokens)} (${window.origin})` },
    { what: 'reserve', why: `${figure(reserve.tokens)}: ${reserved}` },
    ...(reserve.tokens >= window.tokens ? [{ what: 'effective', why: 'nothing fits: the reserve takes the whole window' }] : []),
    ...(own === null ? [] : [{ what: 'input cap', why: `${figure(own.tokens)} (${own.origin})` }]),
    ...(refused === null
      ? []
      : [
          { what: 'effective', why: `at most ${figure(refused.tokens)}: the provider refused ${figure(ask.refused?.tokens ?? 0)}${proof}` },
        ]),
  ];
}
