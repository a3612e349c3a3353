import { anyhow } from '../anyhow.ts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import type { Step } from '../conversations.ts';
import { filler, plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import { stretchesOf } from '../rules/stretches.ts';
import { workout } from '../workout.ts';

const call = (id: string, size = 12): Step & { kind: 'tools' } => ({
  kind: 'tools',
  calls: [{ id, name: 'read', input: {}, output: filler(size, id.length) }],
});

/** Of two calls one is answered. */
const asking: readonly Step[] = [
  ...plainTurns(8),
  { kind: 'user', text: 'Read both.' },
  call('before', 40),
  { kind: 'open', calls: ['one', 'two'].map((id) => ({ id, name: 'read', input: {}, output: filler(12, 1) })) },
];

const cases: Readonly<Record<string, readonly Step[]>> = {
  'parallel calls': [
    { kind: 'user', text: 'Read them.' },
    ...Array.from({ length: 6 }, (_, at): Step => ({
      kind: 'tools',
      calls: ['a', 'b', 'c'].map((id) => ({ id: `${id}${String(at)}`, name: 'read', input: {}, output: filler(10, at) })),
    })),
    { kind: 'reply', text: 'Read.' },
  ],
  'call ids used again': [
    { kind: 'user', text: 'Go.' },
    ...Array.from({ length: 12 }, () => call('same')),
    { kind: 'reply', text: 'Done.' },
  ],
  'thinking, images and empty texts': [
    ...plainTurns(3),
    { kind: 'image' },
    { kind: 'reply', text: '', thinking: filler(30, 3) },
    { kind: 'user', text: '' },
    { kind: 'reply', text: '' },
    ...plainTurns(3),
  ],
  'one turn of many steps, still open': [
    ...plainTurns(2),
    { kind: 'user', text: 'Do all of it.' },
    ...Array.from({ length: 20 }, (_, at) => call(`c${String(at)}`)),
  ],
  'a batch of calls that are not all answered': asking,
  'a conversation that ends with the person': [...plainTurns(6), { kind: 'user', text: filler(40, 1) }],
  'one entry': [{ kind: 'user', text: 'Hello.' }],
};

export const structure: readonly Check[] = [
  ...Object.entries(cases).map(([name, steps]): Check => ({
    group: 'structure',
    name,
    run: async ({ lab }: CheckContext): Promise<Found> => workout(await (await lab.session()).grow(steps)),
  })),
  {
    group: 'structure',
    name: 'keeps as much of the newest part as it is told to',
    run: async ({ lab }: CheckContext): Promise<Found> => kept(await (await lab.session()).grow(plainTurns(16))),
  },
  { group: 'structure', name: 'any conversation', run: (context: CheckContext): Promise<Found> => anyhow(context, workout) },
];

/** The newest turn, and the answer before it; there is plenty else to cover. */
async function kept(session: LabSession): Promise<Found> {
  const shown = (await session.placed()).filter(({ shape }) => shape.kind === 'whole');
  const recent = shown.slice(-5);
  const keepRecent = recent.reduce((sum, { shownTokens }) => sum + shownTokens, 0);
  const outcome = await session.compact({ goalTokens: Math.floor(session.shownTokens / 2), keepRecent });
  if (outcome.kind !== 'compacted') return [];
  const { compaction: { segments = [] } = {}, reductions = [] } = outcome.drafts;
  const covered = (await stretchesOf(session, segments)).flatMap(({ segment, inside }) =>
    segment.show === 'entries' ? [] : inside.map(({ entry }) => entry.id),
  );
  const touched = new Set([...covered, ...reductions.map(({ entry }) => entry)]);
  const lost = recent.filter(({ entry }) => touched.has(entry.id)).length;
  return lost === 0
    ? []
    : [
        fault(
          'compact',
          'recent-not-kept',
          `told to keep the newest ${String(keepRecent)} tokens whole, it covers or shortens ${String(lost)} of the ${String(recent.length)} entries that they are`,
        ),
      ];
}
