/** What an engine goes through on any conversation. */
import type { LabSession } from './lab-session.ts';
import type { Fault } from './report.ts';
import { claimed } from './rules/claims.ts';
import { introduced } from './rules/notes.ts';
import { proposal } from './rules/proposals.ts';
import { spoken } from './rules/words.ts';

/** Plans, compactions at and around a goal, an operator's compaction put in force, and a plan after it. */
export async function workout(session: LabSession): Promise<readonly Fault[]> {
  const found: Fault[] = [...(await planned(session)), ...(await introduced(session))];
  await session.kit.engine.status();
  const shown = session.shownTokens;
  for (const goalTokens of [Math.floor(shown / 2), Math.floor(shown / 8), shown - 1, shown + 1])
    found.push(...(await proposal(session, { goalTokens })));
  await session.session.compact();
  found.push(...(await planned(session)));
  return [...found, ...session.faults.splice(0)];
}

async function planned(session: LabSession): Promise<readonly Fault[]> {
  const segments = (await session.plan())?.segments ?? [];
  return [...(await claimed(session, 'plan', segments)), ...(await spoken(session, 'plan', segments))];
}
