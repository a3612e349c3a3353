import type { Events, ModelFault, Usage } from '@palimpsest/contracts';

const none: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Adds up what a turn's steps used, and remembers the last fault, from the events. */
export class UsageTally {
  usage: Usage = none;
  failure: ModelFault | null = null;
  private readonly stops: readonly (() => void)[];

  constructor(events: Events) {
    this.stops = [
      events.on('entry.appended', ({ entry }) => { if (entry.kind === 'step' && entry.usage !== null) this.usage = sum(this.usage, entry.usage); }),
      events.on('step.failed', ({ fault }) => { this.failure = fault; }),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }
}

function sum(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, output: a.output + b.output, cacheRead: a.cacheRead + b.cacheRead, cacheWrite: a.cacheWrite + b.cacheWrite, reasoning: a.reasoning + b.reasoning };
}
