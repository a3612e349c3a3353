/** Texts that stand for parts of entries: of what is there, smaller than it, and for what they cost. */
import type { Message, Placed, ReductionItem } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import { reducedTokens } from '../figures.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { isFarAbove, isFarBelow } from './claims.ts';

export async function reduced(session: LabSession, items: readonly ReductionItem[]): Promise<readonly Fault[]> {
  if (items.length === 0) return [];
  const placed = new Map((await session.placed()).map((one) => [one.entry.id, one]));
  const found: Fault[] = [];
  for (const [entry, own] of Map.groupBy(items, (item) => item.entry)) {
    const at = placed.get(entry);
    const missing = at === undefined ? own : own.filter((item) => !hasPart(at, item));
    if (missing.length > 0)
      found.push(
        ...missing.map(({ part, target }) =>
          fault('compact', 'reduction-unknown', `it shortens the ${target} of ${part ?? 'a message'}, which nothing is shown of`),
        ),
      );
    else if (at?.entry.kind === 'message') found.push(...(await costOf(session, at, at.entry.message, own)));
  }
  return found;
}

async function costOf(session: LabSession, placed: Placed, message: Message, own: readonly ReductionItem[]): Promise<readonly Fault[]> {
  const costs = await reducedTokens(session, placed, message, own);
  const claims = own.at(-1)?.tokens ?? costs;
  const told = `an entry of ${String(costs)} tokens, once it is shortened, claims to cost ${String(claims)}`;
  return [
    ...(costs > placed.shownTokens
      ? [
          fault(
            'compact',
            'reduction-grows',
            `an entry of ${String(placed.shownTokens)} tokens costs ${String(costs)} once it is "shortened"`,
          ),
        ]
      : []),
    ...(isFarBelow(claims, costs) ? [fault('compact', 'tokens-underclaimed', told)] : []),
    ...(isFarAbove(claims, costs) ? [fault('compact', 'tokens-overclaimed', told)] : []),
  ];
}

function hasPart({ entry, shape }: Placed, { part, target }: ReductionItem): boolean {
  if (entry.kind !== 'message' || (shape.kind !== 'whole' && shape.kind !== 'reduced')) return false;
  if (part === null) return true;
  const { content } = entry.message;
  if (typeof content === 'string') return false;
  return content.some(
    (one) =>
      (target === 'result' ? one.type === 'tool-result' : one.type === 'tool-call') && 'toolCallId' in one && one.toolCallId === part,
  );
}
