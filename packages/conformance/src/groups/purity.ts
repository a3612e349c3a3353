import type { CompactOutcome } from '@palimpsest/contracts';
import { anyhow } from '../anyhow.ts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import { movedClock } from '../foreign-time.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { PURPOSES } from './requests.ts';

const A_DAY_MS = 25 * 3_600_000;
const NOON_MS = 1_800_000_000_000;

export const purity: readonly Check[] = [
  {
    group: 'purity',
    name: 'the same request gives the same plan',
    run: (context: CheckContext): Promise<Found> => anyhow(context, (session) => sameTwice(session, 'a second time')),
  },
  { group: 'purity', name: 'another hour gives the same plan', run: anotherDay },
  {
    group: 'purity',
    name: 'measured usage changes no plan',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(8));
      const usage = { input: 4_321, output: 123, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
      return sameTwice(session, 'after usage was measured', () => {
        session.kit.engine.observe({
          step: session.kit.journal.branch().last,
          route: 'openai-chat:conformance/echo',
          usage,
          estimatedTokens: 4_000,
        });
      });
    },
  },
  {
    group: 'purity',
    name: 'one plan for every purpose, and nothing is written for it',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(8));
      const [before, plans] = [lab.spy.traces.derivedWrites, new Set<string>()];
      for (const purpose of PURPOSES) plans.add(JSON.stringify(await session.plan(purpose)));
      const differs =
        plans.size > 1
          ? [
              fault(
                'plan',
                'plan-differs',
                'asked for another purpose, it answers otherwise: what is measured and previewed is not what is sent',
              ),
            ]
          : [];
      return lab.spy.traces.derivedWrites === before
        ? differs
        : [
            ...differs,
            fault('plan', 'plan-writes', 'it writes to its store when it is asked for a plan, which anybody may ask for at any time'),
          ];
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

async function anotherDay({ lab }: CheckContext): Promise<Found> {
  const clock = movedClock();
  lab.spy.within = clock.within;
  let moved = 0;
  lab.spy.bend.now = () => NOON_MS + moved;
  try {
    const session = await (await lab.session()).grow(plainTurns(8));
    return await sameTwice(session, 'a day later', () => {
      moved += A_DAY_MS;
      clock.move(A_DAY_MS);
    });
  } finally {
    clock.stop();
  }
}

/** Replay depends on it: the host's clock and chance are the same, the machine's are not. */
async function alike({ lab }: CheckContext): Promise<readonly Fault[]> {
  const clock = movedClock();
  lab.spy.within = clock.within;
  lab.spy.bend.now = () => NOON_MS;
  const proposals: string[] = [];
  try {
    for (const id of ['one', 'other']) {
      let drawn = 0;
      lab.spy.bend.random = () => (drawn = (drawn + 0.37) % 1);
      const session = await (await lab.session({ id })).grow(plainTurns(12));
      proposals.push(await placeless(session, await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) })));
      clock.move(A_DAY_MS);
    }
  } finally {
    clock.stop();
  }
  return proposals[0] === proposals[1]
    ? []
    : [fault('compact', 'compact-differs', "two sessions with the same content get different proposals; use the host's clock and random")];
}

/** Ids differ between the two sessions; positions do not. */
async function placeless(session: LabSession, outcome: CompactOutcome): Promise<string> {
  const drafts =
    outcome.kind === 'compacted'
      ? {
          segments: outcome.drafts.compaction?.segments,
          bodies: outcome.drafts.artifacts?.map(({ body }) => body),
          reductions: outcome.drafts.reductions,
        }
      : outcome;
  const placed = (await session.placed()).reduce(
    (text, { entry }) => text.replaceAll(entry.id, `#${String(entry.seq)}`),
    JSON.stringify(drafts),
  );
  return placed.replaceAll(/"artifact":"[0-9a-f]+"/gu, '"artifact":"…"').replaceAll(/"tokens":\d+/gu, '"tokens":0');
}
