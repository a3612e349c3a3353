import type { SessionTime } from '@palimpsest/contracts';

const PER_STEP_MS = 30_000;

/** Time in a replay: half a minute per step, whatever the machine takes. The same file gives the same guards, cooldowns and results everywhere. */
export class SteppedTime implements SessionTime {
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  step(): void {
    this.#nowMs += PER_STEP_MS;
  }
}
