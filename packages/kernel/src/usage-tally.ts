import type { Entry, Events, ModelFault, Usage } from '@palimpsest/contracts';

const none: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Adds up a turn's steps and what they used, also those after it went on by itself, and remembers the last fault, from the events. */
export class UsageTally {
  usage: Usage = none;
  /** Answers that were accepted. */
  steps = 0;
  failure: ModelFault | null = null;
  private readonly stops: readonly (() => void)[];

  constructor(events: Events) {
    this.stops = [
      events.on('entry.appended', ({ entry }) => {
        this.step(entry);
      }),
      events.on('step.failed', ({ fault }) => {
        this.failure = fault;
      }),
    ];
  }

  private step(entry: Entry): void {
    if (entry.kind !== 'step') return;
    if (entry.usage !== null) this.usage = sum(this.usage, entry.usage);
    if (entry.outcome.kind === 'reply') this.steps += 1;
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }
}

function sum(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}
