/** Gathers one assistant message of ours: parts, results behind it, what is kept and not shown. */
import type { AssistantPart, Json, ToolOutput, Usage } from '@palimpsest/contracts';
import { keptData } from '../kept.ts';
import type { JsonObject } from '../json/values.ts';
import type { ResultStep, Step } from '../steps.ts';
import type { FormatName } from '../transcript.ts';
import { groupReasoning, readReasoning } from './reasoning.ts';

export class Turn {
  readonly parts: AssistantPart[] = [];
  /** Skips and notes. */
  readonly before: Step[] = [];
  readonly results: ResultStep[] = [];
  readonly kept: Json[] = [];
  /** Results that the model saw cleared later. */
  readonly reduced: Json[] = [];
  images = 0;
  usage: Usage | null = null;
  #thinking = 0;
  #signed = 0;
  #reasoning: JsonObject[] = [];

  /** Successive parts may be one reasoning. */
  reason(part: JsonObject): void {
    this.#reasoning.push(part);
  }

  push(...parts: AssistantPart[]): void {
    this.#settle();
    this.parts.push(...parts);
  }

  /** Beside its call, when the provider ran it; else behind the message. */
  answer(toolCallId: string, output: ToolOutput, images: number): void {
    const at = this.parts.findLastIndex(
      (part) => part.type === 'tool-call' && part.toolCallId === toolCallId && part.providerExecuted !== true,
    );
    const call = this.#ran.has(toolCallId) ? this.parts[at] : undefined;
    this.#ran.delete(toolCallId);
    if (call?.type !== 'tool-call') {
      this.results.push({ do: 'result', callId: toolCallId, output, images });
      return;
    }
    this.parts[at] = { ...call, providerExecuted: true };
    this.push({ type: 'tool-result', toolCallId, toolName: call.toolName, output });
    this.images += images;
  }
  readonly #ran = new Set<string>();

  /** A call; `ran`: by the provider, if its result turns up in this message. */
  call(part: Extract<AssistantPart, { type: 'tool-call' }>, ran: boolean): void {
    this.push(part);
    if (ran) this.#ran.add(part.toolCallId);
  }

  get isEmpty(): boolean {
    this.#settle();
    return this.parts.length === 0;
  }

  /** `alone`: an empty message is one all the same, when its record has nothing else. */
  steps(format: FormatName, alone: boolean): Step[] {
    this.#settle();
    const data: Step[] = this.kept.length === 0 ? [] : [keptData(format, 'parts', this.kept)];
    for (const one of this.reduced) data.push({ ...keptData(format, 'reduction', one), reduction: true });
    const empty = this.parts.length === 0;
    if (empty && (!alone || data.length > 0 || this.results.length > 0 || this.before.length > 0))
      return [...this.before, ...data, ...this.results];
    const step: Step = {
      do: 'assistant',
      key: null,
      parts: this.parts,
      thinking: this.#thinking,
      signed: this.#signed,
      images: this.images,
      usage: this.usage,
      finish: null,
      empty: {},
    };
    return [...this.before, step, ...this.results, ...data];
  }

  #settle(): void {
    const waiting = this.#reasoning;
    this.#reasoning = [];
    for (const group of groupReasoning(waiting)) {
      const { parts, signed } = readReasoning(group);
      if (parts.length > 0) this.#thinking++;
      if (signed) this.#signed++;
      this.parts.push(...parts);
    }
  }
}
