/** What an engine proposes, weighed by the host; nothing of it is kept. */
import { isPalimpsestError, type CompactOutcome, type Drafts } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import { measuredTokens } from '../figures.ts';
import type { CompactAsk, LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { artifactsIn } from './artifacts.ts';
import { claimed } from './claims.ts';
import { leftOut } from './left-out.ts';
import { reduced } from './reductions.ts';
import { spoken } from './words.ts';

export async function proposal(session: LabSession, ask: CompactAsk): Promise<readonly Fault[]> {
  const outcome = await session.compact(ask);
  return outcome.kind === 'compacted' ? weighed(session, outcome.drafts) : unmoved(session, outcome, ask.goalTokens);
}

async function weighed(session: LabSession, drafts: Drafts): Promise<readonly Fault[]> {
  const before = session.shownTokens;
  const { compaction: { segments = [], short } = {}, artifacts = [], reductions = [] } = drafts;
  try {
    const after = await measuredTokens(session, drafts);
    return [
      ...(after < before
        ? []
        : [fault('compact', 'no-gain', `it answers "compacted", and ${String(before)} tokens became ${String(after)}`)]),
      ...(short !== undefined && isNoLine(short)
        ? [fault('compact', 'short-no-line', 'its `short` is shown in lists: one line of at most 200 characters')]
        : []),
      ...(await claimed(session, 'compact', segments, artifacts)),
      ...(await reduced(session, reductions)),
      ...(await artifactsIn(session, drafts)),
      ...(await spoken(session, 'compact', segments, artifacts)),
      ...(await leftOut(session, segments)),
    ];
  } catch (error) {
    const rule = isPalimpsestError(error) ? String(error.details['rule'] ?? error.code) : 'throws';
    return [fault('compact', rule, isPalimpsestError(error) ? error.message : String(error))];
  }
}

function isNoLine(short: string): boolean {
  return /[\r\n]/u.test(short) || short.length > 200;
}

/** Being over the goal is not a matter of opinion. */
function unmoved({ shownTokens }: LabSession, outcome: CompactOutcome, goalTokens: number): readonly Fault[] {
  if (outcome.kind === 'noop' && outcome.reason === 'under-mark' && shownTokens > goalTokens)
    return [fault('compact', 'makes-no-room', `it answers "under-mark" at ${String(shownTokens)} tokens of ${String(goalTokens)}`)];
  if (outcome.kind === 'irreducible' && outcome.floorTokens <= goalTokens)
    return [
      fault(
        'compact',
        'floor-wrong',
        `it answers "irreducible", and names a floor of ${String(outcome.floorTokens)} tokens, which is what was asked for: ${String(goalTokens)}`,
      ),
    ];
  return [];
}
