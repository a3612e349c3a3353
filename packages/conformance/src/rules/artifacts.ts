/** Texts beside the log. */
import type { Drafts } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

/** In one proposal; the store for indexes takes as much. */
const MOST_CHARACTERS = 4_000_000;

export async function artifactsIn(session: LabSession, { compaction, artifacts = [] }: Drafts): Promise<readonly Fault[]> {
  const characters = artifacts.reduce((sum, { body }) => sum + body.length, 0);
  const state = compaction?.state;
  const isLost = state !== undefined && !artifacts.some(({ id }) => id === state) && (await session.artifact(state)) === null;
  return [
    ...(characters > MOST_CHARACTERS
      ? [
          fault(
            'compact',
            'artifact-too-large',
            `its artifacts for one compaction have ${String(characters)} characters; every session file would keep them`,
          ),
        ]
      : []),
    ...(isLost ? [fault('compact', 'artifact-unknown', 'its state is an artifact that does not exist')] : []),
  ];
}
