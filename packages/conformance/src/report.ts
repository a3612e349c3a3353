/** In the order in which they are run and reported. */
export const GROUPS = [
  'shape',
  'purity',
  'budget',
  'structure',
  'coverage',
  'idempotence',
  'crash',
  'cancel',
  'model-faults',
  'cache',
  'branch',
  'isolation',
  'language',
  'injection',
  'load',
  'unknown-fields',
] as const;
export type GroupName = (typeof GROUPS)[number];

/** A rule of the contract that the engine broke. */
export interface Fault {
  readonly method: string;
  /** One word, the same wherever this rule is broken: `newest-user-entry`, `deadline`, … */
  readonly rule: string;
  readonly problem: string;
  /** The smallest conversation that shows it, one line a step; null: it needs none. */
  readonly smallest: readonly string[] | null;
}

export interface CheckResult {
  readonly group: GroupName;
  readonly check: string;
  /** `skipped`: the engine does not have what is checked. `blocked`: a fault that was reported before came in the way again. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'blocked';
  readonly faults: readonly Fault[];
  readonly ms: number;
}

export interface ConformanceReport {
  readonly engine: string;
  readonly contract: string;
  /** No fault was found in what was run. */
  readonly passed: boolean;
  /** Nothing is known of these: an engine conforms when none is left out. */
  readonly groupsNotRun: readonly GroupName[];
  /** Names of the groups with a fault. */
  readonly failedGroups: readonly GroupName[];
  readonly checks: readonly CheckResult[];
  /** Longest time that the engine kept the event loop busy in the `load` group. Milliseconds; null: not run. */
  readonly longestStallMs: number | null;
}
