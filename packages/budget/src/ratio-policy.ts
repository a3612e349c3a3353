import type { BudgetSettings } from '@palimpsest/contracts';
import { modelThreshold } from './model-thresholds.ts';
import { figure } from './notes.ts';
import type { BudgetNote } from './notes.ts';
import type { PolicyAsk, PolicyFigure, ThresholdPolicy } from './threshold-policy.ts';

/** The ratio policy never starts below this many tokens, except where that would be out of reach. */
const MINIMUM_TOKENS = 64_000;
/** A window strictly below it counts as small. */
const SMALL_WINDOW_TOKENS = 512_000;
const SMALL_WINDOW_THRESHOLD = 0.75;
/** Used when the minimum is not below what the window leaves. */
const REACHABLE_SHARE = 0.85;

export type RatioSettings = Pick<BudgetSettings, 'threshold' | 'modelThresholds' | 'smallContextFloor' | 'thresholdTokens'>;

/** Starts at a share of what the output limit leaves of the window; the base is the window itself while no output limit is sent. */
export function ratioPolicy(settings: RatioSettings): ThresholdPolicy {
  return (ask) => ratioFigure(ask, settings);
}

function ratioFigure(ask: PolicyAsk, settings: RatioSettings): PolicyFigure {
  const notes: BudgetNote[] = [];
  const base = usableWindow(ask);
  const share = thresholdOf(ask, settings, notes);
  const start = capped(reachable(base, Math.floor(base * share), notes), base, settings.thresholdTokens, notes);
  return { startTokens: Math.max(0, start), notes };
}

function usableWindow(ask: PolicyAsk): number {
  const left = ask.windowTokens - Math.max(0, ask.outputTokens ?? 0);
  return left > 0 ? left : Math.max(0, ask.windowTokens);
}

function thresholdOf(ask: PolicyAsk, settings: RatioSettings, notes: BudgetNote[]): number {
  const override = modelThreshold(settings.modelThresholds, ask.model);
  const share = override?.threshold ?? settings.threshold;
  if (override !== null) notes.push({ what: 'threshold', why: `${String(share)} from model_thresholds["${override.key}"]` });
  if (!settings.smallContextFloor || ask.windowTokens >= SMALL_WINDOW_TOKENS || share >= SMALL_WINDOW_THRESHOLD) return share;
  const window = `the window of ${figure(ask.windowTokens)} is below ${figure(SMALL_WINDOW_TOKENS)} (small_context_floor)`;
  notes.push({ what: 'threshold', why: `raised from ${String(share)} to ${String(SMALL_WINDOW_THRESHOLD)}: ${window}` });
  return SMALL_WINDOW_THRESHOLD;
}

function reachable(base: number, wanted: number, notes: BudgetNote[]): number {
  const raised = Math.max(wanted, MINIMUM_TOKENS);
  if (raised < base) {
    if (raised > wanted)
      notes.push({ what: 'start', why: `raised from ${figure(wanted)} to the policy's minimum of ${figure(MINIMUM_TOKENS)}` });
    return raised;
  }
  const lowered = Math.max(1, Math.min(Math.floor(base * REACHABLE_SHARE), base - 1));
  const problem = `${figure(raised)} would be out of reach in ${figure(base)} tokens`;
  notes.push({ what: 'start', why: `${figure(lowered)}, ${String(REACHABLE_SHARE * 100)} % of what the output limit leaves: ${problem}` });
  return lowered;
}

function capped(start: number, base: number, capTokens: number | null, notes: BudgetNote[]): number {
  if (capTokens === null || !(capTokens > 0)) return start;
  const cap = Math.min(Math.floor(capTokens), base);
  if (cap >= start) return start;
  notes.push({ what: 'start', why: `lowered from ${figure(start)} to threshold_tokens ${figure(cap)}` });
  return cap;
}
