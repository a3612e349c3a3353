import { fault } from '../check.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { claimsAuthority } from './words.ts';

/** Notes of one turn may cost the window divided by this. */
const NOTES_SHARE = 4;

/** What the engine says at the start of a turn: cues, not a second context. */
export async function introduced(session: LabSession): Promise<readonly Fault[]> {
  const [branch, turn] = [session.kit.journal.branch(), session.kit.journal.newestUserEntry];
  const notes = turn === null ? [] : await session.kit.engine.begin({ turn, branch, signal: new AbortController().signal });
  const tokens = notes.reduce((sum, { text }) => sum + session.blockTokens(text), 0);
  const limit = Math.floor(session.kit.views.budget(null).window.tokens / NOTES_SHARE);
  const placed = await session.placed();
  return [
    ...notes.flatMap(({ text }) => claimsAuthority('begin', text, placed)),
    ...(tokens <= limit
      ? []
      : [
          fault(
            'begin',
            'notes-too-large',
            `its notes for one turn cost ${String(tokens)} tokens; more than a quarter of the window leaves no room for the turn`,
          ),
        ]),
  ];
}
