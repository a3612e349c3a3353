/** When a compaction is not even tried. Pure: state in, state out; time is given. */
import type { Trigger } from '@palimpsest/contracts';

export interface GuardState {
  /** Failures in a row. */
  readonly failures: number;
  readonly coolUntilMs: number;
  /** A command or a proven overflow has passed this cooldown. */
  readonly passed: boolean;
  /** Compactions in a row that ended near the start mark again. */
  readonly weak: number;
  readonly openUntilMs: number;
}

export const RESTED: GuardState = { failures: 0, coolUntilMs: 0, passed: false, weak: 0, openUntilMs: 0 };

const COOLDOWNS_MS = [60_000, 300_000, 900_000] as const;
const WEAK_SHARE_OF_START = 0.8;
const WEAK_IN_A_ROW = 2;
const OPEN_MS = 300_000;

export type Admission =
  | { readonly admitted: true; readonly state: GuardState }
  | { readonly admitted: false; readonly guard: 'cooldown' | 'breaker'; readonly untilMs: number; readonly state: GuardState };

/** `manual` and proven `overflow` pass one cooldown once; nothing passes the breaker but its probe. */
export function admit(state: GuardState, trigger: Trigger, nowMs: number): Admission {
  const urgent = trigger === 'manual' || trigger === 'overflow';
  const cooling = nowMs < state.coolUntilMs;
  if (cooling && (!urgent || state.passed)) return { admitted: false, guard: 'cooldown', untilMs: state.coolUntilMs, state };
  if (nowMs < state.openUntilMs) return { admitted: false, guard: 'breaker', untilMs: state.openUntilMs, state };
  return { admitted: true, state: { ...state, passed: cooling } };
}

/** An error, an invalid draft, or a compaction that freed nothing. */
export function afterFailure(state: GuardState, nowMs: number): GuardState {
  const pause = COOLDOWNS_MS[Math.min(state.failures, COOLDOWNS_MS.length - 1)] ?? COOLDOWNS_MS[0];
  return { ...state, failures: state.failures + 1, coolUntilMs: nowMs + pause };
}

/** How a compaction ended, in tokens of the whole request. `floorTokens`: what it could not have touched. */
export interface Ended {
  readonly requestTokens: number;
  readonly startTokens: number;
  readonly floorTokens: number;
}

/** A compaction that could not have ended lower, because of one huge batch or input, tells nothing and counts as neither. */
export function afterCompaction(state: GuardState, ended: Ended, nowMs: number): GuardState {
  const line = ended.startTokens * WEAK_SHARE_OF_START;
  if (ended.floorTokens > line) return { ...state, failures: 0, coolUntilMs: 0, passed: false };
  const weak = ended.requestTokens > line ? state.weak + 1 : 0;
  return { failures: 0, coolUntilMs: 0, passed: false, weak, openUntilMs: weak >= WEAK_IN_A_ROW ? nowMs + OPEN_MS : 0 };
}
