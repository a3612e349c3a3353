import { anyhow } from '../anyhow.ts';
import type { Check, CheckContext, Found } from '../check.ts';
import type { Step } from '../conversations.ts';
import { filler, plainTurns } from '../conversations.ts';
import { workout } from '../workout.ts';

const call = (id: string, size = 12): Step & { kind: 'tools' } => ({ kind: 'tools', calls: [{ id, name: 'read', input: {}, output: filler(size, id.length) }] });

const cases: Readonly<Record<string, readonly Step[]>> = {
  'parallel calls': [{ kind: 'user', text: 'Read them.' }, ...Array.from({ length: 6 }, (_, at): Step => ({ kind: 'tools', calls: ['a', 'b', 'c'].map((id) => ({ id: `${id}${String(at)}`, name: 'read', input: {}, output: filler(10, at) })) })), { kind: 'reply', text: 'Read.' }],
  'call ids used again': [{ kind: 'user', text: 'Go.' }, ...Array.from({ length: 12 }, () => call('same')), { kind: 'reply', text: 'Done.' }],
  'thinking, images and empty texts': [...plainTurns(3), { kind: 'image' }, { kind: 'reply', text: '', thinking: filler(30, 3) }, { kind: 'user', text: '' }, { kind: 'reply', text: '' }, ...plainTurns(3)],
  'one turn of many steps, still open': [...plainTurns(2), { kind: 'user', text: 'Do all of it.' }, ...Array.from({ length: 20 }, (_, at) => call(`c${String(at)}`))],
  'a conversation that ends with the person': [...plainTurns(6), { kind: 'user', text: filler(40, 1) }],
  'one entry': [{ kind: 'user', text: 'Hello.' }],
};

export const structure: readonly Check[] = [
  ...Object.entries(cases).map(([name, steps]): Check => ({ group: 'structure', name, run: async ({ lab }: CheckContext): Promise<Found> => workout(await (await lab.session()).grow(steps)) })),
  { group: 'structure', name: 'any conversation', run: (context: CheckContext): Promise<Found> => anyhow(context, workout) },
];
