/** What an engine goes through on any conversation. */
import type { CompactOutcome, Drafts, Placed, Segment, Trust } from '@palimpsest/contracts';
import { isPalimpsestError } from '@palimpsest/contracts';
import { fault } from './check.ts';
import type { LabSession } from './lab-session.ts';
import type { Fault } from './report.ts';

/** Plans, compactions at and around a goal, an operator's compaction put in force, and a plan after it. */
export async function workout(session: LabSession): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  const plan = await session.plan();
  found.push(...(await risen(session, 'plan', plan?.segments ?? [])), ...(await session.introduced()));
  await session.kit.engine.status();
  const shown = session.shownTokens;
  for (const goalTokens of [Math.floor(shown / 2), Math.floor(shown / 8), shown - 1, shown + 1]) found.push(...(await proposal(session, goalTokens)));
  await session.session.compact();
  await session.plan();
  return [...found, ...session.faults.splice(0)];
}

/** One proposal, weighed by the host; nothing of it is kept. */
export async function proposal(session: LabSession, goalTokens: number): Promise<readonly Fault[]> {
  const outcome = await session.compact({ goalTokens });
  return outcome.kind === 'compacted' ? weighed(session, outcome.drafts) : unmoved(session, outcome, goalTokens);
}

async function weighed(session: LabSession, drafts: Drafts): Promise<readonly Fault[]> {
  const before = session.shownTokens;
  try {
    const after = await session.measured(drafts);
    const gain = after < before ? [] : [fault('compact', 'no-gain', `it answers "compacted", and ${String(before)} tokens became ${String(after)}`)];
    return [...gain, ...underclaimed(session, drafts), ...(await risen(session, 'compact', drafts.compaction?.segments ?? []))];
  } catch (error) {
    const rule = isPalimpsestError(error) ? String(error.details['rule'] ?? error.code) : 'throws';
    return [fault('compact', rule, isPalimpsestError(error) ? error.message : String(error))];
  }
}

/** Being over the goal is not a matter of opinion. */
function unmoved(session: LabSession, outcome: CompactOutcome, goalTokens: number): readonly Fault[] {
  if (outcome.kind === 'noop' && outcome.reason === 'under-mark' && session.shownTokens > goalTokens) {
    return [fault('compact', 'makes-no-room', `it answers "under-mark" at ${String(session.shownTokens)} tokens of ${String(goalTokens)}`)];
  }
  return [];
}

/** The host counts again, but engines judge each other's summaries by what the log says of them. */
function underclaimed(session: LabSession, { compaction, artifacts = [] }: Drafts): readonly Fault[] {
  const bodies = new Map<string, string>(artifacts.map(({ id, body }) => [id, body]));
  for (const segment of compaction?.segments ?? []) {
    if (segment.show !== 'summary') continue;
    const text = 'inline' in segment.text ? segment.text.inline : bodies.get(segment.text.artifact);
    const tokens = text === undefined ? 0 : session.blockTokens(text);
    if (segment.tokens < tokens) return [fault('compact', 'tokens-underclaimed', `a summary of ${String(tokens)} tokens claims to cost ${String(segment.tokens)}`)];
  }
  return [];
}

const rank: Readonly<Record<Trust, number>> = { user: 0, assistant: 1, tool: 2, external: 3 };

/** A summary that repeats a tool's words has a tool's trust at most. */
async function risen(session: LabSession, method: string, segments: readonly Segment[]): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for (const { segment, inside } of await stretches(session, segments)) {
    const quotesTool = inside.some(({ entry }) => entry.kind === 'message' && entry.message.role === 'tool');
    if (segment.show === 'summary' && quotesTool && rank[segment.trust] < rank.tool) found.push(fault(method, 'trust-rises', `a summary of tool results claims the trust "${segment.trust}"`));
  }
  return found;
}

async function stretches(session: LabSession, segments: readonly Segment[]): Promise<readonly { readonly segment: Segment; readonly inside: readonly Placed[] }[]> {
  const parts: { readonly segment: Segment; readonly inside: Placed[] }[] = segments.map((segment) => ({ segment, inside: [] }));
  let at = 0;
  for await (const placed of session.kit.journal.branch().oldestFirst(null)) {
    const part = parts[at];
    if (part === undefined) break;
    part.inside.push(placed);
    if (placed.entry.id === part.segment.through) at += 1;
  }
  return parts;
}
