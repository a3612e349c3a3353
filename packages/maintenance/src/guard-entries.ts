/** The guards' state as the log holds it: an entry that no model is shown, so that it outlives the process. Pure. */
import type { CustomBody, Json, Shown } from '@palimpsest/contracts';
import { RESTED, type GuardState } from './guards.ts';

const BY = 'host';
const KEY = 'maintenance.guards';

export function guardsBody(state: GuardState): CustomBody {
  return { kind: 'custom', by: BY, key: KEY, data: { ...state }, shown: null };
}

/** What the newest such entry of the path says; none, or one that cannot be read: rested. */
export function guardsOn(shown: readonly Shown[]): GuardState {
  const held = shown.findLast((unit) => unit.kind === 'entry' && isGuards(unit.placed.entry));
  const data = held?.kind === 'entry' && held.placed.entry.kind === 'custom' ? held.placed.entry.data : null;
  return isState(data) ? data : RESTED;
}

export function isSameState(a: GuardState, b: GuardState): boolean {
  return Object.keys(RESTED).every((key) => a[key as keyof GuardState] === b[key as keyof GuardState]);
}

function isGuards(entry: { readonly kind: string; readonly by?: string; readonly key?: string }): boolean {
  return entry.kind === 'custom' && entry.by === BY && entry.key === KEY;
}

/** An imported log may hold anything. */
function isState(data: Json): data is Json & GuardState {
  return (
    typeof data === 'object' &&
    data !== null &&
    !Array.isArray(data) &&
    Object.entries(RESTED).every(([key, rested]) => typeof data[key] === typeof rested)
  );
}
