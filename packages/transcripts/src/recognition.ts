/** Whether a session holds anything of its format at all: a format that was named wrongly reads no record, and says so of each one. */
import type { Step } from './steps.ts';
import type { SkipReason } from './transcript.ts';

/** Every other reason is one that only a reader who knows the record can give. */
const STRANGE: ReadonlySet<SkipReason> = new Set<SkipReason>(['torn', 'nul', 'not-an-object', 'malformed', 'unknown-kind', 'unknown-role']);
/** What a reader keeps although it does not know it carries this note. */
const UNKNOWN = 'unknown-block';

export class Recognition {
  #isKnown = false;
  readonly #strange = new Map<SkipReason, number>();

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** How many records, or stretches between them, were nothing known, by reason. */
  get strange(): ReadonlyMap<SkipReason, number> {
    return this.#strange;
  }

  /** The records pass once more. */
  restart(): void {
    this.#strange.clear();
  }

  skipped(reason: SkipReason): void {
    if (!STRANGE.has(reason)) this.#isKnown = true;
    else this.#strange.set(reason, (this.#strange.get(reason) ?? 0) + 1);
  }

  read(steps: readonly Step[]): void {
    if (steps.length === 0) this.#isKnown = true;
    const isKept = steps.some((step) => step.do === 'note' && step.reason === UNKNOWN);
    for (const step of steps) {
      if (step.do === 'skip') this.skipped(step.reason);
      else if (step.do !== 'note' && !(isKept && step.do === 'hidden')) this.#isKnown = true;
    }
  }
}

/** Pure. Nothing of the format was found; `isTold`: the file tells it all the same, and may hold no record yet. */
export function isStrange(all: readonly Recognition[], isTold: boolean): boolean {
  const isEmpty = all.every(({ strange }) => strange.size === 0);
  return !(isTold && isEmpty) && !all.some(({ isKnown }) => isKnown);
}

/** Pure. What was looked at instead, in a few words. */
export function strangersIn(all: readonly Recognition[]): string {
  const reasons = new Map<SkipReason, number>();
  for (const { strange } of all) for (const [reason, count] of strange) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  return reasons.size === 0 ? '' : ` (${[...reasons].map(([reason, count]) => `${String(count)} ${reason}`).join(', ')})`;
}
