import type { Answer, AssistantPart, Delta, Json, Model, ModelFault, ModelRequest, Usage } from '@palimpsest/contracts';

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input?: Json; readonly id?: string }[];
  readonly fault?: ModelFault;
  readonly finish?: 'length';
  readonly usage?: Usage;
}
type Answering = (
  request: ModelRequest,
  call: number,
  options: { readonly signal: AbortSignal; readonly onDelta?: (delta: Delta) => void },
) => Reply | Answer | Promise<Reply | Answer>;

const usage: Usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Answers with what a function says, and keeps every request it was sent, byte for byte. */
export class FunctionModel implements Model {
  readonly route = 'openai-chat:test/function';
  readonly requests: ModelRequest[] = [];
  #answering: Answering;
  #calls = 0;

  constructor(answering: Answering = () => ({ text: 'ok' })) {
    this.#answering = answering;
  }

  /** From now on one reply after the other, the last one again and again; forgets the requests so far. */
  says(...replies: readonly Reply[]): this {
    return this.does((_request, call) => replies[Math.min(call, replies.length - 1)] ?? {});
  }

  does(answering: Answering): this {
    this.#answering = answering;
    this.requests.length = 0;
    return this;
  }

  async call(request: ModelRequest, options: Parameters<Answering>[2]): Promise<Answer> {
    const call = this.requests.length;
    this.#calls += 1;
    this.requests.push(structuredClone(request));
    const reply = await this.#answering(request, call, options);
    if ('kind' in reply) return reply;
    if (reply.fault !== undefined) return { kind: 'failed', fault: reply.fault };
    if (reply.text !== undefined) options.onDelta?.({ type: 'text-delta', text: reply.text });
    return answerOf(reply, this.#calls);
  }
}

function answerOf(reply: Reply, call: number): Answer {
  const calls = (reply.calls ?? []).map(({ name, input = {}, id }, index) => ({
    id: id ?? `c${String(call)}-${String(index)}`,
    name,
    input,
  }));
  const content: AssistantPart[] = [
    ...(reply.text === undefined ? [] : [{ type: 'text' as const, text: reply.text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
  ];
  return {
    kind: 'reply',
    message: { role: 'assistant', content },
    calls,
    usage: reply.usage ?? usage,
    finish: reply.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
  };
}
