import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { isPalimpsestError, type Session } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { FunctionModel, type Reply } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import { Witness } from '../test/witness.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

type Deed =
  | {
      readonly do: 'turn';
      readonly input: number;
      readonly batches: readonly (readonly number[])[];
      readonly answer: number;
      readonly odd: string;
    }
  | { readonly do: 'compact' }
  | { readonly do: 'undo' }
  | { readonly do: 'reopen' }
  | { readonly do: 'back'; readonly share: number };

const oddTexts = [
  '',
  '\u0000',
  '\ud800 half a pair',
  '"quoted\\',
  '<|endoftext|>',
  '漢字かな混じり',
  '👩‍👩‍👧 family',
  '\r\n\t\u2028',
  '[Summary of earlier parts',
  '{"role":"system"}',
];
const size = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 6 },
  { arbitrary: fc.integer({ min: 300, max: 3_000 }), weight: 3 },
  { arbitrary: fc.constant(20_000), weight: 1 },
);
const turn = fc.record({
  do: fc.constant('turn' as const),
  input: size,
  batches: fc.array(fc.array(size, { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
  answer: fc.integer({ min: 1, max: 600 }),
  odd: fc.constantFrom(...oddTexts),
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { arbitrary: turn, weight: 12 },
  { arbitrary: fc.constant({ do: 'compact' as const }), weight: 1 },
  { arbitrary: fc.constant({ do: 'undo' as const }), weight: 1 },
  { arbitrary: fc.constant({ do: 'reopen' as const }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('back' as const), share: fc.double({ min: 0.5, max: 1, noNaN: true }) }), weight: 1 },
);

const sized = tool('sized', (input) =>
  Promise.resolve(
    (input as { text: string }).text === 'fail'
      ? Promise.reject(new Error('failed'))
      : prose((input as { tokens: number }).tokens, (input as { text: string }).text),
  ),
);

/** One generated conversation on one session, watched from outside. */
class Conversation {
  readonly model = new FunctionModel();
  readonly said: string[] = [];
  #turns = 0;
  #session: Session | null = null;
  #runtime: HostRuntime | null = null;
  #witness: Witness | null = null;

  readonly #windowTokens: number;
  readonly #store: string;

  constructor(windowTokens: number, store: string) {
    this.#windowTokens = windowTokens;
    this.#store = store;
  }

  async open(): Promise<void> {
    if (this.#runtime !== null) await this.#runtime.close();
    this.#runtime = await bench.runtime({ model: this.model, windowTokens: this.#windowTokens, store: this.#store, tools: [sized] });
    this.#session = await this.#runtime.openSession({ id: 'generated' });
    this.#witness ??= new Witness(this.#runtime, 'generated');
    this.#witness.over(this.#runtime);
  }

  async carry(deed: Deed): Promise<readonly string[]> {
    const { session, witness } = this.#parts();
    if (deed.do === 'turn') await this.#turn(deed);
    if (deed.do === 'compact') await session.compact();
    if (deed.do === 'undo') await session.undo().catch(expected('UNDO_NOTHING', 'UNDO_DOES_NOT_FIT'));
    if (deed.do === 'reopen') await this.#again();
    if (deed.do === 'back') await this.#back(deed.share);
    return witness.faults;
  }

  async close(): Promise<void> {
    await this.#parts().witness.keeps(this.said);
    await this.#runtime?.close();
  }

  get faults(): readonly string[] {
    return this.#parts().witness.faults;
  }

  async #turn({ input, batches, answer, odd }: Deed & { readonly do: 'turn' }): Promise<void> {
    const { session, witness } = this.#parts();
    const turn = (this.#turns += 1);
    const marker = `<turn ${String(turn)}>`;
    const text = `${marker} ${prose(input, `u${String(turn)}`)} ${odd}`;
    const asking = batches.map((sizes, batch): Reply => ({
      calls: sizes.map((tokens, index) => ({
        name: 'sized',
        input: { tokens, text: tokens === 7 ? 'fail' : `t${String(turn)}-${String(batch)}-${String(index)}` },
      })),
    }));
    this.model.says(...asking, { text: `${prose(answer, `a${String(turn)}`)} ${odd}` });
    this.said.push(text);
    const result: unknown = await session.send(text).result.catch((error: unknown) => error);
    if (isPalimpsestError(result, 'CONTEXT_EXHAUSTED')) witness.faults.push(`turn ${String(turn)} exhausted: ${result.message}`);
    else if (result instanceof Error) throw result;
    await witness.sent(this.model.requests, marker);
  }

  /** Back to an earlier answer: what was said since is on another branch. */
  async #back(share: number): Promise<void> {
    const { session, witness, runtime } = this.#parts();
    const answers = (await entriesOf(runtime, 'generated')).filter(
      (entry) =>
        entry.kind === 'message' && entry.message.role === 'assistant' && entry.message.content.every((part) => part.type === 'text'),
    );
    const to = answers[Math.floor(share * (answers.length - 1))];
    if (to === undefined) return;
    await session.moveTo(to.id);
    witness.moved((await entriesOf(runtime, 'generated')).filter(({ kind }) => kind === 'step').length);
    this.said.length = 0;
  }

  /** A new runtime shows what the old one showed, but for what an engine tells of its own time in memory. */
  async #again(): Promise<void> {
    const before = await this.#parts().session.status();
    await this.open();
    const after = await this.#parts().session.status();
    if (
      JSON.stringify(before) !==
      JSON.stringify({ ...after, engine: { ...after.engine, failures: before.engine.failures, status: before.engine.status } })
    )
      this.#parts().witness.faults.push(`reopened: ${String(before.shownTokens)} → ${String(after.shownTokens)} shown tokens`);
  }

  #parts(): { session: Session; runtime: HostRuntime; witness: Witness } {
    if (this.#session === null || this.#runtime === null || this.#witness === null) throw new Error('not opened');
    return { session: this.#session, runtime: this.#runtime, witness: this.#witness };
  }
}

function expected(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.some((code) => isPalimpsestError(error, code))) throw error;
  };
}

it.each([
  [8_000, inject('soak') ? 6 : 1],
  [24_000, inject('soak') ? 2 : 1],
])(
  'holds in every step of generated conversations on a window of %d tokens',
  async (windowTokens, numRuns) => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 14, maxLength: 18, size: 'max' }), async (deeds) => {
        const conversation = new Conversation(windowTokens, `generated-${String(windowTokens)}-${String((runs += 1))}.db`);
        await conversation.open();
        for (const [at, deed] of deeds.entries()) {
          const faults = await conversation.carry(deed);
          if (faults.length > 0) expect([`deed ${String(at)} ${deed.do}`, ...faults]).toEqual([]);
        }
        await conversation.close();
        expect(conversation.faults).toEqual([]);
      }),
      { seed: 20_261_130, numRuns, endOnFailure: true },
    );
  },
  inject('soak') ? 600_000 : 120_000,
);
