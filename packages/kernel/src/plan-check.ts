import type { ContextPlan } from '@palimpsest/contracts';
import { violations, type Violation } from './branch/segments.ts';
import type { TurnKit } from './turn-kit.ts';

/** What is wrong with a plan on the path as it stands now. */
export function violationsNow(kit: TurnKit, plan: ContextPlan): readonly Violation[] {
  return violations(kit.journal.shown(), plan.segments, { whole: true, mustShow: kit.journal.newestUserEntry });
}
