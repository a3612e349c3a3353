/** A small engine that keeps every rule: what the hostile ones are made of. */
import type {
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineHost,
  EntryId,
  Placed,
  PlanRequest,
  Segment,
  Trust,
} from '@palimpsest/contracts';

export function everything({ branch }: PlanRequest): ContextPlan {
  return { segments: [{ through: branch.last, show: 'entries' }], estimateTokens: branch.shownTokens };
}

export interface Covering {
  readonly text?: string;
  readonly trust?: Trust;
  /** Of the edges that there are; default: half of them. */
  readonly share?: number;
  readonly host: EngineHost;
}

/** Covers the older part of what may be covered, up to the newest user input and the part to keep, with one line. */
export async function coverOlder(
  request: CompactRequest,
  { text = '[earlier entries]', trust = 'external', share = 0.5, host }: Covering,
): Promise<CompactOutcome> {
  if (request.branch.shownTokens <= request.goalTokens) return { kind: 'noop', reason: 'under-mark' };
  const tokens = host.tokens.block(text);
  const edges = (await edgesOf(request)).filter((edge) => request.branch.shownTokens - edge.tokens >= (request.keepRecent ?? 0));
  const worth = edges.findIndex((edge) => edge.tokens > tokens);
  const last = worth < 0 ? undefined : edges[Math.max(worth, Math.ceil(edges.length * share) - 1)];
  if (last === undefined) return { kind: 'irreducible', floorTokens: request.branch.shownTokens, parts: {}, advice: [] };
  const segments: readonly Segment[] = [{ through: last.through, show: 'summary', text: { inline: text }, tokens, quality: 'stub', trust }];
  return { kind: 'compacted', drafts: { compaction: { segments } } };
}

interface Edge {
  readonly through: EntryId;
  readonly tokens: number;
}

/** Where an edge may lie before the newest user input, and what the branch up to there costs. */
async function edgesOf({ branch, newestUserEntry, protectedEntries }: CompactRequest): Promise<readonly Edge[]> {
  const fixed = new Set<EntryId | null>([newestUserEntry, ...protectedEntries]);
  const placed: Placed[] = [];
  for await (const one of branch.oldestFirst(null)) placed.push(one);
  const end = placed.findIndex(({ entry }) => fixed.has(entry.id));
  const edges: Edge[] = [];
  let tokens = 0;
  const seen = new Set<EntryId>();
  for (const [at, one] of placed.slice(0, end < 0 ? placed.length : end).entries()) {
    tokens += shownCost(one, seen);
    if (isEdge(one, placed[at + 1])) edges.push({ through: one.entry.id, tokens });
  }
  return edges;
}

function shownCost({ shape, shownTokens }: Placed, seen: Set<EntryId>): number {
  if (shape.kind !== 'covered' || shape.segment === null || seen.has(shape.segment.through)) return shownTokens;
  seen.add(shape.segment.through);
  return shape.segment.tokens;
}

/** Results stand behind their call; what a compaction covers ends with its last entry. */
function isEdge(one: Placed, next: Placed | undefined): boolean {
  if (next === undefined) return true;
  if (next.group !== next.entry.id || next.shape.kind === 'silent') return false;
  return (
    one.shape.kind !== 'covered' ||
    next.shape.kind !== 'covered' ||
    next.shape.by !== one.shape.by ||
    next.shape.segment?.through !== one.shape.segment?.through
  );
}

export function honest(host: EngineHost): Required<Pick<ContextEngine, 'compact'>> & ContextEngine {
  return { plan: everything, compact: (request) => coverOlder(request, { host }) };
}
