/** Points at which an engine is left alone: three turns in a row in which it failed, or two in which it broke the contract. */
const OPENS_AT = 3;
/** How long, the longer the more often a probe failed. */
const PAUSES_MS = [60_000, 300_000, 900_000] as const;

/**
 * Keeps a session from waiting for a broken engine in every turn. Open, the engine is not asked; when its pause is over, one turn is a
 * probe: a good one closes the breaker, a bad one opens it for longer. Aborts and faults of a provider never reach it.
 */
export class EngineBreaker {
  #points = 0;
  #turnPoints = 0;
  #openings = 0;
  #untilMs: number | null = null;

  /** In the running turn; the worst fault of a turn counts. A broken contract weighs 2. */
  failed(weight: 1 | 2): void {
    this.#turnPoints = Math.max(this.#turnPoints, weight);
  }

  /** When the engine may be asked again. Milliseconds since the epoch; null: now. */
  openUntil(nowMs: number): number | null {
    return this.#untilMs !== null && nowMs < this.#untilMs ? this.#untilMs : null;
  }

  turnEnded(nowMs: number): void {
    const failed = this.#turnPoints;
    this.#turnPoints = 0;
    if (this.openUntil(nowMs) !== null) return;
    const wasProbe = this.#untilMs !== null;
    this.#untilMs = null;
    this.#points = failed === 0 ? 0 : this.#points + failed;
    if (failed === 0) this.#openings = 0;
    if (this.#points >= OPENS_AT || (wasProbe && failed > 0)) this.#open(nowMs);
  }

  #open(nowMs: number): void {
    this.#untilMs = nowMs + (PAUSES_MS[Math.min(this.#openings, PAUSES_MS.length - 1)] ?? 0);
    this.#openings += 1;
    this.#points = 0;
  }
}
