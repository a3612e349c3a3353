import { anyhow } from '../anyhow.ts';
import type { Check, CheckContext, Found } from '../check.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

export const coverage: readonly Check[] = [
  {
    group: 'coverage',
    name: 'every entry lies under exactly one segment, again and again',
    run: (context: CheckContext): Promise<Found> => anyhow(context, rounds),
  },
];

/** Three compactions in force, with growth between them; the host weighs each proposal and each plan over what the one before left. */
async function rounds(session: LabSession): Promise<readonly Fault[]> {
  for (let round = 0; round < 3; round += 1) {
    await session.session.compact();
    await session.plan();
    await session.grow([
      { kind: 'user', text: `Round ${String(round)}` },
      { kind: 'reply', text: 'Yes.' },
    ]);
  }
  return [];
}
