import type { TranscriptReport } from '@palimpsest/transcripts';

/** One model request of a replay, as the report shows it. All figures are tokens. */
export interface ReplayStep {
  readonly step: number;
  readonly inputTokens: number;
  readonly availableTokens: number;
  readonly engineTextTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly prefixBreak: string | null;
  /** What the ladder did before this request: `reduce`, `compact`, `trim`; or `refused`, with why. */
  readonly maintenance: readonly string[];
}

export interface ReplayTotals {
  readonly requests: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reductions: number;
  readonly compactions: number;
  readonly hostCompactions: number;
  readonly peakInputTokens: number;
  readonly overBudgetRequests: number;
  readonly invalidRequests: number;
  readonly exhausted: number;
  /** Milliseconds spent in the engine. */
  readonly engineMs: number;
  /** Null: the route has no known price. */
  readonly costUsd: number | null;
}

export interface ReplayInvariants {
  readonly fits: boolean;
  readonly pairs: boolean;
  readonly newestUserEntry: boolean;
  readonly accounted: boolean;
  readonly prefixStable: boolean;
}

/** Another engine answered in place of the one that was asked for. */
export interface Substitution {
  readonly asked: string;
  /** `name@version` of the one that stood in. */
  readonly by: string;
  /** How many of the requests, and so of the figures, are the stand-in's. */
  readonly requests: number;
  readonly why: string;
}

export interface Refusal {
  readonly what: string;
  readonly times: number;
}

/** What a run wrote into the folder for its requests, all sessions of its file together. */
export interface Dumped {
  readonly folder: string;
  readonly requests: number;
  /** Requests of an earlier run that this one did not write over; they are gone. */
  readonly removed: number;
}

/** What a replay answers: one per session of the file. `engine` is the one that planned the requests. */
export interface ReplayReport {
  readonly session: string;
  readonly transcript: TranscriptReport & { readonly tokens: number };
  readonly engine: {
    readonly name: string;
    readonly version: string;
    readonly resolvedFrom: string;
    readonly substitution: Substitution | null;
  };
  readonly window: number;
  readonly effectiveTokens: number;
  readonly steps: readonly ReplayStep[];
  readonly totals: ReplayTotals;
  readonly probes?: {
    readonly total: number;
    readonly verbatim: number;
    readonly folded: number;
    readonly foldedKept: number;
    readonly recoverable: number;
  };
  /** Where requests were dumped: what the run wrote there, all sessions together. */
  readonly dumped?: Dumped;
  readonly invariants: ReplayInvariants;
  /** Attempts to make room that came to nothing, by who made them and why. */
  readonly refusals: readonly Refusal[];
  /** What the runtime had to say: substitutions, failures. */
  readonly notices: readonly string[];
}
