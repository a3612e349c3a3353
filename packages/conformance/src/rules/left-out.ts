/** What a notice says it stands for: by these figures neighbouring notices become one. */
import type { Segment } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { stretchesOf, type Stretch } from './stretches.ts';

export async function leftOut(session: LabSession, segments: readonly Segment[]): Promise<readonly Fault[]> {
  if (!segments.some((segment) => segment.show === 'summary' && segment.leftOut !== undefined)) return [];
  return (await stretchesOf(session, segments)).flatMap(miscounted);
}

function miscounted({ segment, inside }: Stretch): readonly Fault[] {
  if (segment.show !== 'summary' || segment.leftOut === undefined) return [];
  const messages = inside.filter(({ entry }) => entry.kind === 'message');
  const summaries = new Set(
    inside.flatMap(({ shape }) => (shape.kind === 'covered' && shape.segment !== null ? [shape.segment.through] : [])),
  );
  const tokens = inside.reduce((sum, { entry }) => sum + entry.tokens, 0);
  const isMore =
    segment.leftOut.messages > messages.length || segment.leftOut.summaries > summaries.size || segment.leftOut.tokens > tokens;
  return isMore
    ? [
        fault(
          'compact',
          'left-out-wrong',
          `a notice says that ${String(segment.leftOut.messages)} messages are left out, of ${String(messages.length)} that there are`,
        ),
      ]
    : [];
}
