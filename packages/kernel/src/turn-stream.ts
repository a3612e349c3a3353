import type { Delta, Events, StreamPart, Turn, TurnResult } from '@palimpsest/contracts';

/** What a turn streams, kept until it is read; and its result. Reading it, or not, changes nothing about the turn. */
export class TurnStream implements Turn {
  readonly result: Promise<TurnResult>;
  private readonly parts: StreamPart[] = [];
  private readonly followers: TurnStream[] = [];
  private waiting: (() => void)[] = [];
  private ended = false;

  /** @param start queues the turn, at once; nothing is heard before {@link hearing} runs it. */
  constructor(start: (stream: TurnStream) => Promise<TurnResult>) {
    this.result = start(this).finally(() => {
      this.ended = true;
      this.wake();
    });
    this.result.catch(() => undefined);
  }

  /** Runs the turn: what happens meanwhile is its own. */
  async hearing(events: Events, run: (onDelta: (delta: Delta) => void) => Promise<TurnResult>): Promise<TurnResult> {
    const stop = events.onAny((event) => {
      this.push({ type: 'event', ...event });
    });
    try {
      return await run((delta) => {
        this.push(delta);
      });
    } finally {
      stop();
    }
  }

  /** From now on `joined` streams what this turn does. */
  alsoTo(joined: TurnStream): void {
    this.followers.push(joined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamPart, void, void> {
    for (let next = 0; ; next += 1) {
      while (next >= this.parts.length) {
        if (this.ended) return;
        await new Promise<void>((resolve) => {
          this.waiting.push(resolve);
        });
      }
      const part = this.parts[next];
      if (part !== undefined) yield part;
    }
  }

  private push(part: StreamPart): void {
    this.parts.push(part);
    this.wake();
    for (const follower of this.followers) follower.push(part);
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }
}
