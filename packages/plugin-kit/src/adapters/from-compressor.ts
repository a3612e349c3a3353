import type { z } from 'zod';
import type {
  CommittedTurn,
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineDefinition,
  EngineHost,
  EngineTool,
  EntryId,
  Json,
  PlanRequest,
} from '@palimpsest/contracts';
import { defineContextEngine, type EngineDescription } from '../define-context-engine.ts';
import { everything } from '../plans.ts';
import { plainGroups, type PlainGroup, type PlainMessage } from './plain-messages.ts';
import { rewrittenItems, rewrittenSegments, type Rewrite } from './rewritten.ts';

export interface CompressAsk {
  /** Tokens of the conversation as it is shown now, by the host's count. */
  readonly currentTokens: number;
  /** What the operator wants kept in mind. */
  readonly focusTopic: string | null;
  /** Tokens to get down to. */
  readonly goalTokens: number;
  /** An operator asked; else a mark was reached. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}
export interface SelectAsk {
  readonly budgetTokens: number;
  readonly incomingMessage: PlainMessage | null;
}

/** An engine in the style of Hermes: it rewrites a list of messages. All but `compress` may be left out. A promise is waited for: what it rejects with is the engine's fault, by name. */
export interface MessageCompressor {
  /** A new list: messages of the old one, and new ones that stand for what is missing. The same list, or an equal one: nothing to do. */
  compress(messages: readonly PlainMessage[], ask: CompressAsk): readonly PlainMessage[] | Promise<readonly PlainMessage[]>;
  shouldCompress?(promptTokens: number): boolean;
  /** For one request only; null: as it is. */
  selectContext?(
    messages: readonly PlainMessage[],
    ask: SelectAsk,
  ): readonly PlainMessage[] | null | Promise<readonly PlainMessage[] | null>;
  updateFromResponse?(usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  }): void | Promise<void>;
  updateModel?(model: { readonly contextLength: number }): void | Promise<void>;
  onTurnComplete?(messages: readonly PlainMessage[]): void | Promise<void>;
  onSessionStart?(sessionId: string): void | Promise<void>;
  onSessionEnd?(sessionId: string): void | Promise<void>;
  getToolSchemas?(): readonly { readonly name: string; readonly description?: string; readonly parameters?: Json }[];
  /** A JSON string. */
  handleToolCall?(name: string, args: Json): string | Promise<string>;
}

export interface CompressorDescription<Options extends z.ZodType = z.ZodType> extends Omit<EngineDescription<Options>, 'create'> {
  /** Once per session: engines keep counters. */
  create(host: EngineHost<z.output<Options>>): MessageCompressor;
}

/**
 * Lifts an engine that rewrites messages to the contract: what it leaves out becomes a covered stretch, what it adds the summary in its
 * place, what it shortens a reduction. The newest user input, protected entries and tool pairs stay whatever it returns.
 */
export function fromCompressor<Options extends z.ZodType = z.ZodType>({
  create,
  ...description
}: CompressorDescription<Options>): EngineDefinition {
  return defineContextEngine({ ...description, create: (host: EngineHost<z.output<Options>>) => lifted(create(host), host) });
}

async function lifted(own: MessageCompressor, host: EngineHost): Promise<ContextEngine> {
  await own.onSessionStart?.(host.session);
  return new LiftedCompressor(own, host);
}

class LiftedCompressor implements ContextEngine {
  readonly tools: readonly EngineTool[];
  readonly #own: MessageCompressor;
  readonly #host: Pick<EngineHost, 'artifacts' | 'tokens' | 'session'>;
  #windowTokens: number | null = null;

  constructor(own: MessageCompressor, host: Pick<EngineHost, 'artifacts' | 'tokens' | 'session'>) {
    this.#own = own;
    this.#host = host;
    this.tools = toolsOf(own);
  }

  async plan(request: PlanRequest): Promise<ContextPlan> {
    await this.#tellModel(request.budget.window.tokens);
    if (this.#own.selectContext === undefined) return everything(request);
    const groups = await this.#groups(request);
    const messages = groups.flatMap((group) => group.messages);
    const incomingMessage = messages.findLast(({ id }) => id === request.newestUserEntry) ?? null;
    const returned = await this.#own.selectContext(messages, { budgetTokens: request.budget.available, incomingMessage });
    if (returned === null) return everything(request);
    const segments = rewrittenSegments(this.#rewrite(groups, returned, [request.newestUserEntry]));
    return { segments, estimateTokens: request.branch.shownTokens };
  }

  async compact(request: CompactRequest): Promise<CompactOutcome> {
    await this.#tellModel(request.budget.window.tokens);
    const force = request.trigger === 'manual';
    const currentTokens = request.branch.shownTokens;
    if (request.trigger === 'prepare') return { kind: 'noop', reason: 'nothing-eligible' };
    if (!force && request.trigger !== 'overflow' && this.#own.shouldCompress?.(currentTokens) === false)
      return { kind: 'noop', reason: 'under-mark' };
    const groups = await this.#groups(request);
    const messages = groups.flatMap((group) => group.messages);
    const ask: CompressAsk = { currentTokens, focusTopic: request.focus, goalTokens: request.goalTokens, force, signal: request.signal };
    const returned = await this.#own.compress(messages, ask);
    if (isSame(messages, returned)) return { kind: 'noop', reason: 'nothing-eligible' };
    return compacted(this.#rewrite(groups, returned, [request.newestUserEntry, ...request.protectedEntries]));
  }

  observe({ usage }: Parameters<NonNullable<ContextEngine['observe']>>[0]): void | Promise<void> {
    return this.#own.updateFromResponse?.({
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    });
  }

  async commit(turn: CommittedTurn): Promise<'committed'> {
    if (this.#own.onTurnComplete !== undefined)
      await this.#own.onTurnComplete((await this.#groups(turn)).flatMap(({ messages }) => messages));
    return 'committed';
  }

  async close(): Promise<void> {
    await this.#own.onSessionEnd?.(this.#host.session);
  }

  #groups({ branch }: Pick<CompactRequest, 'branch'>): Promise<readonly PlainGroup[]> {
    return plainGroups(branch, (id) => this.#host.artifacts.get(id));
  }

  #rewrite(groups: readonly PlainGroup[], returned: readonly PlainMessage[], kept: readonly (EntryId | null)[]): Rewrite {
    const stay = new Set(kept.filter((id) => id !== null));
    return { groups, returned, kept: stay, countBlock: (text) => this.#host.tokens.block(text) };
  }

  /** Told once per window, as a model switch would tell it. */
  async #tellModel(contextLength: number): Promise<void> {
    if (this.#windowTokens === contextLength) return;
    this.#windowTokens = contextLength;
    await this.#own.updateModel?.({ contextLength });
  }
}

function compacted(rewrite: Rewrite): CompactOutcome {
  if (rewrite.returned.length === 0) return { kind: 'failed', error: 'compress returned an empty list', retryable: false };
  const segments = rewrittenSegments(rewrite);
  const through = segments.findLastIndex(({ show }) => show !== 'entries');
  const reductions = rewrittenItems(rewrite);
  if (through < 0 && reductions.length === 0) return { kind: 'noop', reason: 'nothing-eligible' };
  const compaction = { segments: segments.slice(0, through + 1) };
  return { kind: 'compacted', drafts: { ...(through < 0 ? {} : { compaction }), ...(reductions.length === 0 ? {} : { reductions }) } };
}

function isSame(before: readonly PlainMessage[], after: readonly PlainMessage[]): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every((message, at) => message.id === after[at]?.id && message.content === after[at]?.content))
  );
}

function toolsOf(own: MessageCompressor): readonly EngineTool[] {
  return (own.getToolSchemas?.() ?? []).map(({ name, description = '', parameters = { type: 'object' } }) => ({
    name,
    description,
    inputSchema: parameters,
    run: async (input) =>
      own.handleToolCall === undefined ? JSON.stringify({ error: `${name} has no handler` }) : await own.handleToolCall(name, input),
  }));
}
