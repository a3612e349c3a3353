import type { ContextPlan, PlanViolation } from '@palimpsest/contracts';
import { violations } from './branch/segments.ts';
import type { TurnKit } from './turn-kit.ts';

/** What is wrong with a plan on the path as it stands now. */
export function violationsNow(kit: TurnKit, plan: ContextPlan): readonly PlanViolation[] {
  return violations(kit.journal.shown(), plan.segments, { whole: true, mustShow: kit.journal.newestUserEntry });
}
