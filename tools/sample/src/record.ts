import { createHash } from 'node:crypto';
import type { Step, Turn } from './scene.ts';
import type { Call, Result } from './workbench.ts';

type Line = Readonly<Record<string, unknown>>;

const PROVIDER = 'scripted';
const FIRST_MODEL = 'sample-large';

/** Writes the records of a session, version 3: ids, parents, a clock that only goes forward, and estimated usage. */
export class Recorder {
  readonly #lines: Line[] = [];
  #parent: string | null = null;
  #count = 0;
  #calls = 0;
  #nowMs: number;
  #model = FIRST_MODEL;
  #contextTokens = 2_400;

  constructor(startMs: number) {
    this.#nowMs = startMs;
    const id = digest('session', 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    this.#lines.push({ type: 'session', version: 3, id, timestamp: this.#time(), cwd: '/project' });
  }

  user({ ask, model }: Turn): void {
    if (model !== undefined && model !== this.#model) {
      this.#model = model;
      this.#push(20, { type: 'model_change', provider: PROVIDER, modelId: model });
    }
    this.#message(45, { role: 'user', content: [{ type: 'text', text: ask }] }, ask.length);
  }

  /** Returns the ids of the calls, in order. */
  assistant({ think, say, calls = [] }: Step): readonly string[] {
    const named = calls.map((call) => ({ call, id: `call_${digest(`call ${String((this.#calls += 1))}`, 24)}` }));
    const content = [
      ...(think === undefined ? [] : [{ type: 'thinking', thinking: think }]),
      ...(say === undefined ? [] : [{ type: 'text', text: say }]),
      ...named.map(({ call, id }) => ({ type: 'toolCall', id, name: call.tool, arguments: call.args })),
    ];
    const characters = JSON.stringify(content).length;
    const body = {
      role: 'assistant',
      content,
      provider: PROVIDER,
      model: this.#model,
      usage: this.#usage(characters),
      stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    };
    this.#message(6, body, characters);
    return named.map(({ id }) => id);
  }

  result(id: string, { tool }: Call, { text, failed }: Result): void {
    this.#message(
      1,
      { role: 'toolResult', toolCallId: id, toolName: tool, content: [{ type: 'text', text }], isError: failed },
      text.length,
    );
  }

  text(): string {
    return this.#lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  #message(seconds: number, message: object, characters: number): void {
    this.#contextTokens += Math.ceil(characters / 4);
    this.#push(seconds, { type: 'message', message });
  }

  /** Waits a plausible while: `seconds` and up to as much again, by the record's own id. */
  #push(seconds: number, body: Line): void {
    const id = digest(`record ${String((this.#count += 1))}`, 8);
    this.#nowMs += seconds * 1000 + (Number.parseInt(id, 16) % (seconds * 1000));
    const message = body['message'] === undefined ? {} : { message: { ...(body['message'] as object), timestamp: this.#nowMs } };
    this.#lines.push({ ...body, ...message, id, parentId: this.#parent, timestamp: this.#time() });
    this.#parent = id;
  }

  #usage(characters: number): Line {
    const output = Math.ceil(characters / 4);
    return { input: this.#contextTokens, output, cacheRead: 0, cacheWrite: 0, totalTokens: this.#contextTokens + output };
  }

  #time(): string {
    return new Date(this.#nowMs).toISOString();
  }
}

const digest = (text: string, length: number): string =>
  createHash('sha256').update(`palimpsest sample: ${text}`).digest('hex').slice(0, length);
