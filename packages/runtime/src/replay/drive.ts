import { callsOf, errors } from '@palimpsest/contracts';
import type { Answer, OpenTurn, UserInput, View } from '@palimpsest/contracts';
import { openWithoutInput, prepare, record, submit, violationsNow, type TurnKit } from '@palimpsest/kernel';
import type { TranscriptItem } from '@palimpsest/transcripts';
import type { ReplayLedger } from './ledger.ts';

/** Where each request goes before it is answered: dumps, probes. */
export type SeesRequest = (view: View, step: number, line: number) => Promise<void>;

/**
 * Drives the turn's own `submit`, `prepare` and `record` with what a transcript holds: a user record is a submit, an assistant record a
 * prepare and a record, a recorded result is what the tool returned.
 */
export class ReplayDriver {
  #turn: OpenTurn | null = null;
  readonly #signal = new AbortController().signal;
  readonly #kit: TurnKit;
  readonly #ledger: ReplayLedger;
  readonly #sees: SeesRequest;

  constructor(kit: TurnKit, ledger: ReplayLedger, sees: SeesRequest) {
    this.#kit = kit;
    this.#ledger = ledger;
    this.#sees = sees;
  }

  async take(item: TranscriptItem): Promise<void> {
    switch (item.kind) {
      case 'user':
        return this.#submit({ content: item.message.content, origin: item.origin });
      case 'assistant':
        return this.#step(item);
      case 'result':
        return this.#result(item);
      case 'hidden':
        await this.#kit.journal.append([this.#kit.drafts.plain(item.body, this.#turn?.id ?? null)]);
    }
  }

  async #submit(input: UserInput): Promise<void> {
    this.#turn = await submit(this.#kit, input, this.#signal);
  }

  async #step(item: TranscriptItem & { readonly kind: 'assistant' }): Promise<void> {
    const turn = (this.#turn ??= await openWithoutInput(this.#kit));
    const view = await prepare(this.#kit, turn, this.#signal);
    if (view.judgement.mark === 'over') return this.#exhausted(item);
    this.#ledger.plannedBy(this.#kit.engine.name);
    this.#ledger.request(view.request, view, this.#kit.journal.newestUserEntry);
    if (violationsNow(this.#kit, view.plan).length > 0) this.#ledger.unaccounted();
    await this.#sees(view, this.#ledger.steps.length, item.line);
    await record(this.#kit, turn, view, await this.#answer(item));
  }

  /** Nothing was sent; the recorded reply is kept all the same, so that the session goes on as recorded. */
  async #exhausted(item: TranscriptItem & { readonly kind: 'assistant' }): Promise<void> {
    this.#ledger.exhausted += 1;
    await this.#kit.journal.append([await this.#kit.drafts.message(item.message, 'model', this.#turn?.id ?? null)]);
  }

  /** Usage is what this request and this reply cost here; recorded usage is never an anchor. */
  async #answer({ message, finish }: TranscriptItem & { readonly kind: 'assistant' }): Promise<Answer> {
    const calls = callsOf(message);
    const sent = this.#ledger.steps.at(-1);
    const output = await this.#kit.drafts.messageTokens(message);
    return {
      kind: 'reply',
      message,
      calls,
      finish,
      usage: { input: 0, output, cacheRead: sent?.cacheReadTokens ?? 0, cacheWrite: sent?.cacheWriteTokens ?? 0, reasoning: 0 },
    };
  }

  async #result({ part }: TranscriptItem & { readonly kind: 'result' }): Promise<void> {
    const call = this.#kit.journal.openCalls()?.calls.find(({ id }) => id === part.toolCallId);
    if (call === undefined) throw errors.loopCallUnknown(part.toolCallId);
    await this.#kit.journal.append([await this.#kit.drafts.result(call, part.output, this.#turn?.id ?? null)]);
  }
}
