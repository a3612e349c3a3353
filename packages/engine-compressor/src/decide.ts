/** One pass of the compressor over a window: keep, cover, measure. */
import type { Budget, CompactOutcome, CompactRequest, EntryId } from '@palimpsest/contracts';
import { cover, type Covered, type Write } from './cover.ts';
import { opensWithHandoff } from './facts.ts';
import { chooseKept, keptTokens, mustKeep, type Keep } from './keep.ts';
import { maxSummaryTokens, summaryTarget, tailLimits } from './limits.ts';
import type { CompressorOptions } from './options.ts';
import { tokensOf, type Bundle } from './bundles.ts';

/** A resumed session is searched this much further than its head for a client's own summary. */
const HANDOFF_REACH = 4;
/** Summaries take at most this share of the room beside what must stay, so that a tail is left. */
const SUMMARY_SHARE_OF_ROOM = 0.25;
/** A compaction that frees less than this share and does not reach the goal breaks the prefix for nothing. */
const LEAST_GAIN = 0.01;

export interface Pass {
  readonly bundles: readonly Bundle[];
  readonly request: Pick<CompactRequest, 'budget' | 'goalTokens' | 'keepRecent' | 'newestUserEntry' | 'protectedEntries'>;
  readonly options: CompressorOptions;
  /** The path has a compaction in force. */
  readonly compacted: boolean;
  readonly write: Write;
}

export type Decision =
  | { readonly kind: 'covered'; readonly covered: Covered; readonly beforeTokens: number }
  | Extract<CompactOutcome, { kind: 'noop' | 'irreducible' }>;

/** Covers as much as the tail allows, and all that is allowed when the goal asks for it. */
export async function decide(pass: Pass): Promise<Decision> {
  const { bundles, request, options } = pass;
  const protectedIds = new Set<EntryId>([
    ...request.protectedEntries,
    ...(request.newestUserEntry === null ? [] : [request.newestUserEntry]),
  ]);
  const must = mustKeep(bundles, protectedIds);
  const roomTokens = request.goalTokens - summaryReserve(bundles, must, request.goalTokens, request.budget, options);
  const first = await attempt(pass, chooseKept(keepAsk(pass, must, roomTokens)));
  if (first.tokens <= request.goalTokens) return judged(first, pass, must);
  // A stretch too small to be covered stays shown although the room did not count it: once more with that much less, then with nothing but what must stay.
  const second = await attempt(pass, chooseKept(keepAsk(pass, must, roomTokens - (first.tokens - request.goalTokens))));
  if (second.tokens <= request.goalTokens) return judged(second, pass, must);
  return judged(smaller(smaller(first, second), await attempt(pass, must)), pass, must);
}

function keepAsk({ bundles, request, options, compacted }: Pass, must: readonly boolean[], roomTokens: number): Keep {
  const resumed = opensWithHandoff(bundles, options.protect_first_n + HANDOFF_REACH);
  return {
    bundles,
    must,
    roomTokens,
    headMessages: compacted || resumed ? 0 : options.protect_first_n,
    tail: tailLimits(request.budget, options, request.keepRecent),
    protectLastN: options.protect_last_n,
    userMessages: options.min_tail_user_messages,
  };
}

function summaryReserve(
  bundles: readonly Bundle[],
  must: readonly boolean[],
  goalTokens: number,
  budget: Budget,
  options: CompressorOptions,
): number {
  const mustTokens = keptTokens(bundles, must);
  const wanted = summaryTarget(tokensOf(bundles) - mustTokens, maxSummaryTokens(budget, options));
  return Math.min(wanted, Math.max(0, Math.floor((goalTokens - mustTokens) * SUMMARY_SHARE_OF_ROOM)));
}

async function attempt({ bundles, request, options, write }: Pass, kept: readonly boolean[]): Promise<Covered> {
  const roomTokens = request.goalTokens - keptTokens(bundles, kept);
  return cover({ bundles, kept, roomTokens, maxSummaryTokens: maxSummaryTokens(request.budget, options), write });
}

function smaller(one: Covered, other: Covered): Covered {
  return other.tokens < one.tokens ? other : one;
}

function judged(covered: Covered, { bundles, request }: Pass, must: readonly boolean[]): Decision {
  const beforeTokens = tokensOf(bundles);
  const freed = beforeTokens - covered.tokens;
  const reaches = beforeTokens > request.goalTokens && covered.tokens <= request.goalTokens;
  if (covered.covered.length > 0 && freed > 0 && (reaches || freed >= beforeTokens * LEAST_GAIN))
    return { kind: 'covered', covered, beforeTokens };
  if (beforeTokens > request.goalTokens) return irreducible(bundles, must, covered.tokens, request.newestUserEntry);
  return { kind: 'noop', reason: covered.eligible ? 'no-gain' : 'nothing-eligible' };
}

function irreducible(bundles: readonly Bundle[], must: readonly boolean[], floorTokens: number, newestUserEntry: EntryId | null): Decision {
  const user = tokensOf(
    bundles.filter((bundle) => bundle.kind === 'entries' && bundle.placed.some(({ entry }) => entry.id === newestUserEntry)),
  );
  const kept = keptTokens(bundles, must) - user;
  return {
    kind: 'irreducible',
    floorTokens,
    parts: { newestUserEntry: user, protectedEntries: kept, rest: floorTokens - user - kept },
    advice: ['Use a model with a larger window.', 'Shorten or offload what is protected: the newest input and the open tool results.'],
  };
}
