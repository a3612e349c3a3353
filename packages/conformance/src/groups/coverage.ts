import { anyhow } from '../anyhow.ts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

export const coverage: readonly Check[] = [
  { group: 'coverage', name: 'every entry lies under exactly one segment, again and again', run: (context: CheckContext): Promise<Found> => anyhow(context, rounds) },
];

/** Three compactions in force, with growth between them; after each, every entry is still reached through the branch. */
async function rounds(session: LabSession): Promise<readonly Fault[]> {
  for (let round = 0; round < 3; round += 1) {
    await session.session.compact();
    await session.plan();
    const missing = await unreached(session);
    if (missing !== null) return [fault('compact', 'entry-lost', `entry ${missing} is no longer reached`)];
    await session.grow([{ kind: 'user', text: `Round ${String(round)}` }, { kind: 'reply', text: 'Yes.' }]);
  }
  return [];
}

async function unreached(session: LabSession): Promise<string | null> {
  const branch = session.kit.journal.branch();
  let depth = -1;
  for await (const { entry } of branch.oldestFirst(null)) {
    if (entry.depth !== depth + 1) return entry.id;
    depth = entry.depth;
  }
  return null;
}
