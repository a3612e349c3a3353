import { CLOCK, IMAGE_TOKENS, MODEL, RENDERER, SESSION_IDS, TOKEN_COUNTER, sessionToken } from '@palimpsest/contracts';
import type {
  Answer,
  Body,
  Call,
  Clock,
  Draft,
  EntryId,
  Finish,
  Message,
  Model,
  Note,
  OpenTurn,
  Origin,
  Renderer,
  SessionIds,
  StepBody,
  TokenCounter,
  ToolOutput,
  ToolResultPart,
  UserInput,
  View,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { hashOf } from './hash.ts';
import { ownCopy } from './own-copy.ts';

/** Makes drafts: mints ids and times, counts each message once as it will be rendered. */
export class DraftWriter {
  private readonly foreseen = new WeakMap<UserInput, Message>();
  private readonly counted = new WeakMap<Message, Promise<number>>();

  constructor(
    @inject(TOKEN_COUNTER) private readonly counter: TokenCounter,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(SESSION_IDS) private readonly ids: SessionIds,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(MODEL) private readonly model: Model,
  ) {}

  /** A body the model is never shown, or whose tokens are known. */
  plain<B extends Body>(body: B, turn: EntryId | null, tokens = 0): Draft<B> {
    return { id: this.ids.entry(), time: new Date(this.clock.now()).toISOString(), turn, tokens, ...body } as unknown as Draft<B>;
  }

  async message(message: Message, origin: Origin, turn: EntryId | null): Promise<Draft> {
    const [tokens, bare] = [
      await this.messageTokens(message),
      hasOpaque(message) ? await this.countable(this.renderer.countable(message)) : null,
    ];
    const opaque = bare === null || bare >= tokens ? {} : { opaqueTokens: tokens - bare };
    return this.plain({ kind: 'message', origin, message, ...opaque }, turn, tokens);
  }

  /** Begins to count what is about to be said, while the session gets ready for it. */
  foresee(input: UserInput): void {
    const message = userMessage(input);
    const counting = this.messageTokens(message);
    // Whoever asks for the figure is told what went wrong; it may be nobody.
    counting.catch(() => undefined);
    this.foreseen.set(input, message);
    this.counted.set(message, counting);
  }

  /** The entry that starts a turn: its own id is the turn's. */
  async user(input: UserInput, turn: EntryId | null): Promise<Draft> {
    const draft = await this.message(this.foreseen.get(input) ?? userMessage(input), input.origin ?? 'user_input', turn);
    return turn === null ? { ...draft, turn: draft.id } : draft;
  }

  async note(note: Note, by: string, turn: EntryId): Promise<Draft> {
    const tokens = await this.counter.count(this.renderer.noteText(by, note.text));
    return this.plain({ kind: 'custom', by, key: note.key, data: null, shown: note.text }, turn, tokens + 8);
  }

  async result(call: Call, output: ToolOutput, turn: EntryId | null): Promise<Draft> {
    const part: ToolResultPart = { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
    return this.message({ role: 'tool', content: [part] }, 'tool', turn);
  }

  /** [step, reply] for a reply; [step] for a failure, an abort, a refusal. */
  async step(turn: OpenTurn, view: View, answer: Answer | { readonly kind: 'exhausted' }): Promise<readonly Draft[]> {
    // Another thread counts the reply meanwhile.
    const replying = answer.kind === 'reply' ? this.message(ownCopy(answer.message), 'model', turn.id) : null;
    const made: Omit<StepBody, 'outcome'> = {
      kind: 'step',
      route: view.request.route,
      engine: view.engine,
      ...(view.chosen === view.engine ? {} : { chosen: view.chosen }),
      budget: view.budget,
      judgement: view.judgement,
      epoch: view.epoch,
      breakReason: view.breakReason,
      plan: view.plan,
      prompt: view.prompt,
      renderer: this.renderer.version,
      settings: { ...view.request.settings },
      patch: view.patch,
      hash: hashOf(view.request),
      messages: view.request.messages.length,
      usage: answer.kind === 'reply' ? ownCopy(answer.usage) : null,
      declined: [...view.substitutions, ...view.declined, ...turn.declined],
    };
    const reply = await replying;
    const step: StepBody = { ...made, outcome: outcomeOf(answer, reply?.id ?? null) };
    return reply === null ? [this.plain(step, turn.id)] : [this.plain(step, turn.id), reply];
  }

  /** What a message costs when it is sent on this session's route in the epoch it is made in. */
  messageTokens(message: Message): Promise<number> {
    return this.counted.get(message) ?? this.countable(this.renderer.countable(message, this.model.route));
  }

  private async countable({ text, images }: ReturnType<Renderer['countable']>): Promise<number> {
    return text === '' ? 0 : (await this.counter.count(text)) + images * IMAGE_TOKENS;
  }
}

function hasOpaque(message: Message): boolean {
  return message.role === 'assistant' && message.content.some(({ type }) => type === 'opaque');
}

function outcomeOf(answer: Answer | { readonly kind: 'exhausted' }, reply: EntryId | null): StepBody['outcome'] {
  if (answer.kind === 'reply' && reply !== null) return { kind: 'reply', reply, finish: answer.finish satisfies Finish };
  if (answer.kind === 'failed') return { kind: 'failed', fault: ownCopy(answer.fault) };
  if (answer.kind === 'aborted') return { kind: 'aborted', ...(answer.partial === undefined ? {} : { partial: answer.partial }) };
  return { kind: 'refused', code: 'CONTEXT_EXHAUSTED' };
}

function userMessage({ content }: UserInput): Message {
  return { role: 'user', content: typeof content === 'string' ? [{ type: 'text', text: content }] : ownCopy([...content]) };
}

export const DRAFTS = sessionToken<DraftWriter>('kernel.drafts');
