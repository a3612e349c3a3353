/** Per-section settings as the packages use them: camel case, defaults applied. `config` makes them from YAML. */
import type { MarkOverrides } from './budget.ts';

export interface AgentSettings {
  /** Name under `models`; null: the host has to pass one. */
  readonly model: string | null;
  /** Most model calls in one turn. */
  readonly maxSteps: number;
}

export interface BudgetSettings {
  /** The ratio policy's share of (window - reserve) at which maintenance starts. */
  readonly threshold: number;
  /** Longest matching key wins; a key is a substring of the model name, or `provider:substring`. */
  readonly modelThresholds: Readonly<Record<string, number>>;
  /** Raise-only: below a 512,000 window the threshold is at least 0.75. */
  readonly smallContextFloor: boolean;
  /** Absolute cap of the start mark; null: none. */
  readonly thresholdTokens: number | null;
  /** Marks that beat the policy, in tokens. */
  readonly marks: MarkOverrides;
}

export interface MaintenanceSettings {
  /** False: rungs 1 to 4 never run by themselves (`compression.enabled: false` or `compaction.strategy: off`). */
  readonly enabled: boolean;
  readonly autoContinue: boolean;
  /** Tokens of the newest part that a compaction keeps whole; null: the engine's own setting. */
  readonly keepRecentTokens: number | null;
  readonly hygieneEnabled: boolean;
}

export interface PromptSettings {
  /** The operator's system text; empty: the built-in one line. */
  readonly system: string;
}

export interface StoreSettings {
  /** Absolute path of the database file. */
  readonly file: string;
  /** SQLite's `synchronous` for appends. */
  readonly durability: 'full' | 'normal';
}
