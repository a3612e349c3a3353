import { modelFault, json } from '@palimpsest/contracts';
import type { Answer, AssistantPart, Call, Clock, Delta, Model, ModelRequest, Usage } from '@palimpsest/contracts';
import { z } from 'zod';

const tokens = z.number().int().nonnegative();

/** One scripted answer, in the spelling of a configuration. With `fault` the call fails and the rest is not used; `delay_ms` passes first. */
export const scriptedReply = z.strictObject({
  text: z.string().optional(),
  tool_calls: z.array(z.strictObject({ name: z.string().min(1), input: json })).optional(),
  usage: z.strictObject({ input: tokens, output: tokens, cache_read: tokens, cache_write: tokens, reasoning: tokens }).optional(),
  fault: modelFault.optional(),
  delay_ms: z.number().nonnegative().optional(),
});
export type ScriptedReply = z.infer<typeof scriptedReply>;

export interface ScriptedOptions {
  readonly route?: string;
  /** After the last reply: begin again, or fail every further call as `invalid`. Default `fail`. */
  readonly atEnd?: 'loop' | 'fail';
}

/** Usage where the script states none: zeros, which say nothing about the request. */
const UNSTATED: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function usageOf({ cache_read: cacheRead, cache_write: cacheWrite, ...same }: NonNullable<ScriptedReply['usage']>): Usage {
  return { ...same, cacheRead, cacheWrite };
}

/** Answers from data. Call ids count up from `call_1` over the model's life, so the same script gives the same log. */
export class ScriptedModel implements Model {
  readonly route: string;
  readonly #replies: readonly ScriptedReply[];
  readonly #clock: Clock;
  readonly #atEnd: 'loop' | 'fail';
  #next = 0;
  #calls = 0;

  constructor(replies: readonly ScriptedReply[], clock: Clock, options: ScriptedOptions = {}) {
    this.route = options.route ?? 'openai-chat:scripted/scripted';
    this.#replies = replies;
    this.#clock = clock;
    this.#atEnd = options.atEnd ?? 'fail';
  }

  /** An abort during the delay uses the reply up, as it would a real call. */
  async call(
    _request: ModelRequest,
    options: { readonly signal: AbortSignal; readonly onDelta?: (delta: Delta) => void },
  ): Promise<Answer> {
    if (options.signal.aborted) return { kind: 'aborted' };
    const reply = this.#take();
    if (reply === undefined)
      return { kind: 'failed', fault: { kind: 'invalid', message: `The script has ended after ${String(this.#replies.length)} replies.` } };
    if (!(await this.#waited(reply.delay_ms ?? 0, options.signal))) return { kind: 'aborted' };
    if (reply.fault !== undefined) return { kind: 'failed', fault: reply.fault };
    const answer = this.#answer(reply);
    if (reply.text !== undefined && reply.text !== '') options.onDelta?.({ type: 'text-delta', text: reply.text });
    return answer;
  }

  #take(): ScriptedReply | undefined {
    const at = this.#next++;
    return this.#replies[this.#atEnd === 'loop' && this.#replies.length > 0 ? at % this.#replies.length : at];
  }

  /** False: aborted meanwhile. A clock may reject its sleep on abort, or only end it. */
  async #waited(ms: number, signal: AbortSignal): Promise<boolean> {
    if (ms === 0) return true;
    try {
      await this.#clock.sleep(ms, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
    return !signal.aborted;
  }

  #answer(reply: ScriptedReply): Answer {
    const calls = (reply.tool_calls ?? []).map(({ name, input }): Call => ({ id: `call_${String(++this.#calls)}`, name, input }));
    const content: AssistantPart[] = [
      ...(reply.text === undefined || reply.text === '' ? [] : [{ type: 'text' as const, text: reply.text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
    ];
    return {
      kind: 'reply',
      message: { role: 'assistant', content },
      calls,
      usage: reply.usage === undefined ? UNSTATED : usageOf(reply.usage),
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
    };
  }
}
