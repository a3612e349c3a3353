import type { Summary } from '@palimpsest/contracts';
import type { Bend } from '../bent-host.ts';
import type { Check, CheckContext, Found } from '../check.ts';
import { filler, plainTurns } from '../conversations.ts';
import type { Fault } from '../report.ts';
import { proposal } from '../rules/proposals.ts';

type Summarize = NonNullable<Bend['summarize']>;
const says =
  (text: string): Summarize =>
  () =>
    Promise.resolve<Summary>({ text, quality: 'model', model: 'conformance/model', tokens: 1 });

/** What a summariser may do to an engine. It never rejects but for the signal: whatever a model did, there is an answer. */
const faults: Readonly<Record<string, Summarize>> = {
  'an empty summary': says(''),
  'a summary longer than what it sums up': (ask) =>
    Promise.resolve({ text: filler(2_000, ask.maxTokens), quality: 'model', model: 'conformance/model', tokens: 1 }),
  'a refusal': says("I'm sorry, but I can't help with that."),
  'a summary cut off in the middle': async (ask, usual) => {
    const whole = await usual(ask);
    return { ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 3)) };
  },
  'a stub, because the model failed': () =>
    Promise.resolve({ text: '[earlier parts of the session]', quality: 'stub', model: null, tokens: 30 }),
};

export const modelFaults: readonly Check[] = Object.entries(faults).map(([name, summarize]): Check => ({
  group: 'model-faults',
  name,
  run: (context: CheckContext): Promise<Found> => underFault(context, summarize),
}));

async function underFault({ lab }: CheckContext, summarize: Summarize): Promise<readonly Fault[]> {
  lab.spy.bend.summarize = summarize;
  const session = await (await lab.session()).grow(plainTurns(16));
  const found = await proposal(session, { goalTokens: Math.floor(session.shownTokens / 2) });
  await session.session.compact();
  await session.plan();
  return found;
}
