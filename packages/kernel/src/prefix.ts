import type { Entry, Shown, StepBody } from '@palimpsest/contracts';
import type { Landmarks } from './branch/path.ts';

/** A request, as far as its prefix goes. */
export interface Sending {
  /** Its hash, cut to as many messages as the step before had, under that step's settings. */
  readonly beginning: string | null;
  readonly hooked: boolean;
  /** A hook that changed it has declared a cache loss. */
  readonly declaredLoss: boolean;
}

/** Why a request does not begin with what the step before on its path had sent; null: it does, or there is no step before. From the log alone. Pure. */
export function breakReasonOf({ sent: step, epoch }: Pick<Landmarks, 'sent' | 'epoch'>, shown: readonly Shown[], { beginning, hooked, declaredLoss }: Sending): string | null {
  if (hooked && declaredLoss) return 'hook';
  if (step === null) return null;
  if (step.epoch !== (epoch?.id ?? null)) return epoch?.kind ?? 'navigation';
  if (beginning === step.hash) return null;
  if (hooked || step.patch !== null) return 'hook';
  return movedSince(step, shown) ? 'navigation' : 'selection';
}

/** Entries behind the step that do not follow each other by `seq`: something was written elsewhere between them. */
function movedSince(step: Entry<StepBody>, shown: readonly Shown[]): boolean {
  for (let at = shown.length - 1; at > 0; at -= 1) {
    const [unit, before] = [shown[at], shown[at - 1]];
    if (unit?.kind !== 'entry' || before?.kind !== 'entry' || unit.placed.entry.id === step.id) return false;
    if (unit.placed.entry.seq !== before.placed.entry.seq + 1) return true;
  }
  return false;
}
