import { segmentsFrom, type CompactOutcome, type CompactRequest, type EngineHost } from '@palimpsest/plugin-kit';
import { lineOf } from './line.ts';
import { stretchesOf, type Stretch } from './stretches.ts';

/** Lines that are counted before others get a turn. */
const AT_ONCE = 50;

/**
 * Room in three steps, each only where the one before was not enough: one line for the work of every turn but the newest `keepTurns`, one
 * line for the work of those as well, and the oldest of what is then left goes. Where the host says how much of the newest part is to stay
 * whole, that counts, and `keepTurns` does not.
 */
export async function compact(request: CompactRequest, host: EngineHost, keepTurns: number): Promise<CompactOutcome> {
  const { branch, goalTokens, keepRecent, signal } = request;
  if (branch.shownTokens <= goalTokens) return { kind: 'noop', reason: 'under-mark' };
  const before = await stretchesOf(request);
  const newest = before.at(-1)?.turn ?? 0;
  let stretches = await withLines(before, host, signal, ({ turn }) => turn <= newest - (keepRecent === null ? keepTurns : 0));
  if (tokensOf(stretches) > goalTokens) stretches = await withLines(stretches, host, signal, () => true);
  if (tokensOf(stretches) > goalTokens) stretches = withoutOldest(stretches, goalTokens, host);
  const floorTokens = tokensOf(stretches);
  if (floorTokens >= branch.shownTokens)
    return { kind: 'irreducible', floorTokens, parts: {}, advice: ['Use a model with a larger window.'] };
  const changed = stretches.slice(0, stretches.findLastIndex(({ showing }) => showing.show !== 'entries') + 1);
  return { kind: 'compacted', drafts: { compaction: { segments: segmentsFrom(changed) } } };
}

/** A line in place of the work that `isOld` picks, wherever it is the shorter of the two. */
async function withLines(
  stretches: readonly Stretch[],
  host: EngineHost,
  signal: AbortSignal,
  isOld: (stretch: Stretch) => boolean,
): Promise<readonly Stretch[]> {
  const result: Stretch[] = [];
  for (const [index, stretch] of stretches.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await host.pause();
    signal.throwIfAborted();
    result.push(isOld(stretch) ? withLine(stretch, host) : stretch);
  }
  return result;
}

function withLine(stretch: Stretch, host: EngineHost): Stretch {
  const text = stretch.work === null ? '' : lineOf(stretch.work);
  if (stretch.work === null || text === '') return stretch;
  const tokens = host.tokens.block(text);
  if (tokens >= stretch.tokens) return stretch;
  return {
    ...stretch,
    tokens,
    work: null,
    showing: { show: 'summary', text: { inline: text }, tokens, quality: 'stub', trust: stretch.work.trust },
  };
}

/** One line for as many of the oldest as is needed, and as may go. */
function withoutOldest(stretches: readonly Stretch[], goalTokens: number, host: EngineHost): readonly Stretch[] {
  const gone = stretches.slice(0, edgeOf(stretches, goalTokens - host.tokens.block(notice(stretches.length))));
  const last = gone.at(-1);
  const inputs = gone.reduce((sum, stretch) => sum + stretch.inputs, 0);
  const tokens = host.tokens.block(notice(inputs));
  if (last === undefined || tokens >= tokensOf(gone)) return stretches;
  const showing = { show: 'summary', text: { inline: notice(inputs) }, tokens, quality: 'notice', trust: 'external' } as const;
  return [{ ...last, tokens, inputs, work: null, showing }, ...stretches.slice(gone.length)];
}

/** How many of the oldest have to go, so that the others cost `goalTokens`; none behind one that stays. */
function edgeOf(stretches: readonly Stretch[], goalTokens: number): number {
  let tokens = tokensOf(stretches);
  let edge = 0;
  for (const stretch of stretches) {
    if (stretch.stays || tokens <= goalTokens) break;
    tokens -= stretch.tokens;
    edge += 1;
  }
  return edge;
}

const notice = (inputs: number): string =>
  `[The first ${String(inputs)} inputs of the user and the work on them are left out here; the session log has them.]`;
const tokensOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { tokens }) => sum + tokens, 0);
