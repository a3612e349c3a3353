import type { Delta, Events, StreamPart, Turn, TurnResult } from '@palimpsest/contracts';

/** What a turn streams, kept until it is read; and its result. Reading it, or not, changes nothing about the turn. */
export class TurnStream implements Turn {
  readonly result: Promise<TurnResult>;
  private readonly parts: StreamPart[] = [];
  private waiting: (() => void)[] = [];
  private ended = false;

  /** @param run starts at once; gets where deltas go. */
  constructor(events: Events, run: (onDelta: (delta: Delta) => void) => Promise<TurnResult>) {
    const stop = events.onAny((event) => { this.push({ type: 'event', ...event }); });
    this.result = run((delta) => { this.push(delta); }).finally(() => {
      stop();
      this.ended = true;
      this.wake();
    });
    this.result.catch(() => undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamPart, void, void> {
    for (let next = 0; ; next += 1) {
      while (next >= this.parts.length) {
        if (this.ended) return;
        await new Promise<void>((resolve) => { this.waiting.push(resolve); });
      }
      const part = this.parts[next];
      if (part !== undefined) yield part;
    }
  }

  private push(part: StreamPart): void {
    this.parts.push(part);
    this.wake();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }
}
