import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Answer, AssistantPart, Delta, Model, ModelRequest } from '@palimpsest/contracts';
import { classifyFault } from './faults/classify-fault.ts';
import { cutAnswer, toAnswer } from './reply.ts';
import { parseRoute, type Route } from './route.ts';
import { StreamAssembly } from './stream-assembly.ts';
import { toPrompt } from './to-prompt.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onDelta?: (delta: Delta) => void;
}

/** A provider package's model on a route. One call is one request: nothing is retried here. */
export class SdkModel implements Model {
  readonly route: string;
  readonly #model: LanguageModelV4;
  readonly #streaming: boolean;
  readonly #at: Route;

  /** `streaming: false` asks for the whole answer at once; its deltas then come together at the end. */
  constructor(route: string, model: LanguageModelV4, options: { readonly streaming?: boolean } = {}) {
    this.route = route;
    this.#model = model;
    this.#streaming = options.streaming ?? true;
    this.#at = parseRoute(route);
  }

  /** A provider that ignores the signal is left behind: the answer is `aborted` at once, with the text that had come. */
  async call(request: ModelRequest, { signal, onDelta }: CallOptions): Promise<Answer> {
    if (signal.aborted) return { kind: 'aborted' };
    const assembly = new StreamAssembly(onDelta);
    try {
      const asked = { ...toPrompt(request, this.#at.wire), abortSignal: signal };
      return await (this.#streaming ? this.#streamed(asked, assembly, signal) : this.#generated(asked, signal, onDelta));
    } catch (thrown) {
      return signal.aborted ? aborted(assembly) : { kind: 'failed', fault: classifyFault(thrown) };
    }
  }

  async #streamed(asked: LanguageModelV4CallOptions, assembly: StreamAssembly, signal: AbortSignal): Promise<Answer> {
    const starting = this.#model.doStream(asked);
    const { stream } = await orAborted(starting, signal, ({ stream: late }) => late.cancel());
    await readInto(assembly, stream, signal);
    if (signal.aborted) return aborted(assembly);
    const { content, ended, fault } = assembly;
    return ended === null ? cutAnswer(fault?.error) : toAnswer(content, ended, this.#at.provider, fault?.error);
  }

  async #generated(asked: LanguageModelV4CallOptions, signal: AbortSignal, onDelta: CallOptions['onDelta']): Promise<Answer> {
    const result = await orAborted(Promise.resolve(this.#model.doGenerate(asked)), signal);
    const answer = toAnswer(result.content, result, this.#at.provider);
    if (answer.kind === 'reply' && onDelta !== undefined) for (const part of answer.message.content) tell(part, onDelta);
    return answer;
  }
}

function aborted(assembly: StreamAssembly): Answer {
  return assembly.text === '' ? { kind: 'aborted' } : { kind: 'aborted', partial: assembly.text };
}

function tell(part: AssistantPart, onDelta: (delta: Delta) => void): void {
  if (part.type === 'text' || part.type === 'reasoning') onDelta({ type: `${part.type}-delta`, text: part.text });
}

/** Ends with the stream, on a fatal fault, or on abort; the stream is let go of in every case. */
async function readInto(assembly: StreamAssembly, stream: ReadableStream<LanguageModelV4StreamPart>, signal: AbortSignal): Promise<void> {
  const reader = stream.getReader();
  const letGo = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', letGo, { once: true });
  try {
    while (!signal.aborted && assembly.fault?.fatal !== true) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      assembly.take(value);
    }
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}

/** The promise, or a rejection as soon as the signal aborts; what arrives after that goes to `late`. */
async function orAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
  late: (value: T) => PromiseLike<void> | void = () => undefined,
): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(signal.reason as Error);
    void Promise.resolve(promise)
      .then(late)
      .catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
