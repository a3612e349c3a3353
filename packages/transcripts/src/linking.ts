/** The first pass over a session: only the small facts that the second cannot know in time. */
import type { ToolSchema } from '@palimpsest/contracts';
import { Pairing } from './pairing.ts';
import type { AssistantStep, FactsStep, Step } from './steps.ts';
import { ToolsSeen } from './tools.ts';

export interface Links {
  /** By result, its call; negative: none. */
  readonly answers: readonly number[];
  /** By call: a result was recorded. */
  readonly answered: readonly boolean[];
  /** By message key, the number of the last record that extends the message. Only messages of several records. */
  readonly lastRecord: ReadonlyMap<string, number>;
  readonly id: string | null;
  readonly title: string | null;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

export class Linker {
  readonly #pairing = new Pairing();
  readonly #seen = new ToolsSeen();
  readonly #spans = new Map<string, { readonly first: number; last: number }>();
  readonly #system: string[] = [];
  #tools: readonly ToolSchema[] = [];
  #title: { readonly text: string; readonly rank: number } | null = null;
  #id: string | null = null;

  /** `record`: number of the record within the session, from 0. */
  take(record: number, steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.do === 'assistant') this.#assistant(record, step);
      else if (step.do === 'result') this.#pairing.result(step.callId, record);
      else if (step.do === 'facts') this.#facts(step);
      else if ((step.do === 'reserve' || step.do === 'usage') && step.key !== null) this.#span(step.key, record);
    }
  }

  finish(): Links {
    const lastRecord = new Map<string, number>();
    for (const [key, span] of this.#spans) if (span.last > span.first) lastRecord.set(key, span.last);
    const tools = this.#tools.length > 0 ? this.#tools : this.#seen.schemas();
    return {
      ...this.#pairing.finish(),
      lastRecord,
      id: this.#id,
      title: this.#title?.text ?? null,
      system: this.#system.join('\n\n'),
      tools,
    };
  }

  #assistant(record: number, step: AssistantStep): void {
    const first = step.key === null ? record : this.#span(step.key, record);
    for (const part of step.parts) {
      if (part.type !== 'tool-call' || part.providerExecuted === true) continue;
      this.#pairing.call(part.toolCallId, first);
      this.#seen.see(part.toolName, part.input);
    }
  }

  /** The record at which the message begins. */
  #span(key: string, record: number): number {
    const span = this.#spans.get(key) ?? { first: record, last: record };
    span.last = record;
    this.#spans.set(key, span);
    return span.first;
  }

  #facts(step: FactsStep): void {
    if (step.id !== undefined) this.#id ??= step.id;
    if (step.system !== undefined) this.#system.push(step.system);
    if (step.tools !== undefined) this.#tools = step.tools;
    if (step.title !== undefined && step.title.rank >= (this.#title?.rank ?? 0)) this.#title = step.title;
  }
}
