/** What an engine says its texts cost. The host counts again, but engines judge each other's summaries by what the log says of them. */
import type { Artifact, Segment } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import { loggedSummaries, textOf } from '../figures.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

/** Twice as much, and a little, is taken for another way of counting. */
const FACTOR = 2;
const SLACK = 16;

export function isFarBelow(claims: number, costs: number): boolean {
  return claims * FACTOR + SLACK < costs;
}

export function isFarAbove(claims: number, costs: number): boolean {
  return claims > costs * FACTOR + SLACK;
}

/** Of each summary, and that there is a text behind it at all. */
export async function claimed(
  session: LabSession,
  method: string,
  segments: readonly Segment[],
  artifacts: readonly Artifact[] = [],
): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  if (!segments.some(({ show }) => show === 'summary')) return found;
  const isLogged = await loggedSummaries(session);
  for (const segment of segments) {
    if (segment.show !== 'summary' || isLogged(segment)) continue;
    const text = await textOf(session, segment, artifacts);
    if (text === null) {
      found.push(fault(method, 'artifact-unknown', 'a summary names an artifact that does not exist'));
      continue;
    }
    const costs = session.blockTokens(text);
    if (segment.tokens < costs)
      found.push(fault(method, 'tokens-underclaimed', `a summary of ${String(costs)} tokens claims to cost ${String(segment.tokens)}`));
    if (isFarAbove(segment.tokens, costs))
      found.push(fault(method, 'tokens-overclaimed', `a summary of ${String(costs)} tokens claims to cost ${String(segment.tokens)}`));
  }
  return found;
}
