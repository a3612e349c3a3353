import type { Placed, Segment } from '@palimpsest/contracts';
import type { LabSession } from '../lab-session.ts';

/** A segment with what lies under it. */
export interface Stretch {
  readonly segment: Segment;
  readonly inside: readonly Placed[];
}

export async function stretchesOf(session: LabSession, segments: readonly Segment[]): Promise<readonly Stretch[]> {
  const parts: { readonly segment: Segment; readonly inside: Placed[] }[] = segments.map((segment) => ({ segment, inside: [] }));
  let at = 0;
  for (const placed of await session.placed()) {
    const part = parts[at];
    if (part === undefined) break;
    part.inside.push(placed);
    if (placed.entry.id === part.segment.through) at += 1;
  }
  return parts;
}

/** What is said in these entries, as one text; markup in it stays as it is. */
export function wordsOf(placed: readonly Placed[]): string {
  return placed
    .map(
      ({ entry, shape }) =>
        `${entry.kind === 'message' ? JSON.stringify(entry.message.content) : ''} ${shape.kind === 'covered' && shape.segment !== null && 'inline' in shape.segment.text ? JSON.stringify(shape.segment.text.inline) : ''}`,
    )
    .join('\n');
}
