import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import { anyhow } from '../anyhow.ts';
import type { Fault } from '../report.ts';

export const purity: readonly Check[] = [
  { group: 'purity', name: 'the same request gives the same plan', run: (context: CheckContext): Promise<Found> => anyhow(context, (session) => sameTwice(session, 'a second time')) },
  {
    group: 'purity', name: 'another hour gives the same plan',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      let hour = 1;
      lab.spy.bend.now = () => 1_800_000_000_000 + hour * 3_600_000;
      const session = await (await lab.session()).grow(plainTurns(8));
      return sameTwice(session, 'an hour later', () => { hour += 25; });
    },
  },
  {
    group: 'purity', name: 'measured usage changes no plan',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(8));
      const usage = { input: 4_321, output: 123, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
      return sameTwice(session, 'after usage was measured', () => { session.kit.engine.observe({ step: session.kit.journal.branch().last, route: 'openai-chat:conformance/echo', usage, estimatedTokens: 4_000 }); });
    },
  },
  { group: 'purity', name: 'equal sessions are compacted alike', run: alike },
];

async function sameTwice(session: LabSession, when: string, between: () => void = () => undefined): Promise<readonly Fault[]> {
  const one = JSON.stringify(await session.plan());
  between();
  const other = JSON.stringify(await session.plan());
  return one === other ? [] : [fault('plan', 'plan-differs', `asked ${when}, it answers otherwise`)];
}

/** Replay depends on it. Ids differ between the two sessions; positions do not. */
async function alike({ lab }: CheckContext): Promise<readonly Fault[]> {
  const proposals: string[] = [];
  for (const id of ['one', 'other']) {
    const session = await (await lab.session({ id })).grow(plainTurns(12));
    const seqs = new Map<string, string>();
    for await (const { entry } of session.kit.journal.branch().oldestFirst(null)) seqs.set(entry.id, `#${String(entry.seq)}`);
    const outcome = await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
    const drafts = outcome.kind === 'compacted' ? { segments: outcome.drafts.compaction?.segments, bodies: outcome.drafts.artifacts?.map(({ body }) => body), reductions: outcome.drafts.reductions } : outcome;
    const placed = [...seqs].reduce((text, [entry, seq]) => text.replaceAll(entry, seq), JSON.stringify(drafts));
    proposals.push(placed.replaceAll(/"artifact":"[0-9a-f]+"/gu, '"artifact":"…"').replaceAll(/"tokens":\d+/gu, '"tokens":0'));
  }
  return proposals[0] === proposals[1] ? [] : [fault('compact', 'compact-differs', 'two sessions with the same content get different proposals; use the host\'s clock and random')];
}
