/** Plans that are to be compared. */
import { fault } from './check.ts';
import type { LabSession } from './lab-session.ts';
import { waited } from './time.ts';

/** More than the machine's clock takes to go on. */
const A_MOMENT_MS = 5;

/** The plan as text; null: asked twice in a row it answers otherwise, so it can be compared with nothing. */
export async function steadyPlan(session: LabSession): Promise<string | null> {
  const one = JSON.stringify(await session.plan());
  await waited(A_MOMENT_MS);
  return JSON.stringify(await session.plan()) === one ? one : null;
}

export const UNSTEADY = [fault('plan', 'plan-differs', 'asked twice in a row, it answers otherwise')];
