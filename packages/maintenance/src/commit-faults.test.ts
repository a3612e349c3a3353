import { expect, it } from 'vitest';
import { errors } from '@palimpsest/contracts';
import type { CompactOutcome, EntryId } from '@palimpsest/contracts';
import { branchOf, type Say } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { LadderSession } from '../test/session.ts';

const talk = (tokens: number): Say[] => [{ user: 'question' }, { says: 'x'.repeat(tokens * 4) }];
const proposal: CompactOutcome = {
  kind: 'compacted',
  drafts: {
    compaction: {
      segments: [{ through: 'e8' as EntryId, show: 'summary', text: { inline: 'before' }, tokens: 1, quality: 'model', trust: 'user' }],
    },
  },
};

/** A session whose log answers the engine's compaction with this fault. */
function refusing(fault: Error): LadderSession {
  const shown = branchOf(Array.from({ length: 6 }, () => talk(2_900)).flat());
  const session = new LadderSession({ shown, budget: budgetOf(20_000), compact: () => Promise.resolve(proposal) });
  const append = session.journal.append.bind(session.journal);
  session.journal.append = (drafts, artifacts) =>
    drafts.some((draft) => draft.kind === 'compaction' && draft.by !== 'host') ? Promise.reject(fault) : append(drafts, artifacts);
  return session;
}

it.each<[string, Error, string]>([
  ['the rule it breaks', errors.enginePlanInvalid('fake@1.0.0', 'edge-unknown', 'no edge there'), 'edge-unknown'],
  ['an error nobody has named', new RangeError('Invalid time value'), 'Invalid time value'],
])('what an engine proposed is declined with %s, and it is left alone for a while', async (_name, fault, why) => {
  const session = refusing(fault);
  expect((await session.climb('threshold')).declined).toContainEqual({ what: 'compact', why: expect.stringContaining(why) as string });
  expect((await session.climb('threshold')).declined.at(-1)?.why).toContain('deferred by cooldown');
});

it('a store that fails is not laid at the door of the engine', async () => {
  await expect(refusing(errors.storeFailed('append', new Error('disk full'))).climb('threshold')).rejects.toMatchObject({
    code: 'STORE_FAILED',
  });
});
