import type { Answer, Model, ModelRequest } from '@palimpsest/contracts';

/** Gives back recorded answers in the order they were handed in, whatever it is asked. The replay driver hands in one before each call. */
export class ReplayModel implements Model {
  readonly route: string;
  readonly #expected: Answer[] = [];

  constructor(route = 'openai-chat:replay/recorded') {
    this.route = route;
  }

  /** The next call's answer; queued behind those not yet taken. */
  expect(answer: Answer): void {
    this.#expected.push(answer);
  }

  /** Answers handed in and not yet taken. */
  get pending(): number {
    return this.#expected.length;
  }

  /** An aborted call takes nothing. A call that nothing was recorded for fails as `invalid`. */
  call(_request: ModelRequest, { signal }: { readonly signal: AbortSignal }): Promise<Answer> {
    if (signal.aborted) return Promise.resolve({ kind: 'aborted' });
    return Promise.resolve(
      this.#expected.shift() ?? { kind: 'failed', fault: { kind: 'invalid', message: 'The recording has no answer for this call.' } },
    );
  }
}
