/** What a view has to fit. All figures are tokens of the store's counter, so sums of `Entry.tokens` compare with them directly. */
import { z } from 'zod';

/** What one image is taken to cost, in tokens, until its route's real cost is learned. */
export const IMAGE_TOKENS = 1_600;

const tokens = z.number().int().nonnegative();

/** Tokens of one model call. `input` excludes cached tokens; `output` includes `reasoning`. */
export const usage = z.object({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens, reasoning: tokens }).readonly();
export type Usage = z.infer<typeof usage>;

/** Where a limit comes from: the model catalog, the operator, the client's default, a provider's refusal, or nobody knows. */
export const limitOrigin = z.enum(['catalog', 'config', 'client-default', 'learned', 'unknown']);
export const limit = z.object({ tokens, origin: limitOrigin }).readonly();
export type LimitOrigin = z.infer<typeof limitOrigin>;
export type Limit = z.infer<typeof limit>;

/** Absolute tokens of the WHOLE request, compared inclusively (`>=`). Always low < prepare < start < hard <= effective. */
export const marks = z.object({ low: tokens, prepare: tokens, start: tokens, hard: tokens }).readonly();
export type Marks = z.infer<typeof marks>;

/** Marks that beat a policy's. The nearest place in order is taken for one that is out of order. */
export const markOverrides = z
  .strictObject({
    low: tokens.exactOptional(),
    prepare: tokens.exactOptional(),
    start: tokens.exactOptional(),
    hard: tokens.exactOptional(),
  })
  .readonly();
export type MarkOverrides = z.infer<typeof markOverrides>;

/** Parts of a request that no engine can shrink: system text, tool schemas, what hooks added last time, the request's own envelope. */
export const fixedCosts = z.object({ system: tokens, tools: tokens, hooks: tokens, envelope: tokens, total: tokens }).readonly();
export type FixedCosts = z.infer<typeof fixedCosts>;

export const budget = z
  .object({
    /** The model's context window. */
    window: limit,
    /** Kept free for the answer: the output limit actually sent, else min(20,000, 25 % of the window). */
    reserve: limit,
    /** A known cap on input that is smaller than the window, or null. */
    inputCap: limit.nullable(),
    /** E = min(window - reserve, input cap, what a proven overflow allows). No request above it is sent. */
    effective: tokens,
    fixed: fixedCosts,
    /** E - fixed: what the branch may fill. Never negative; 0 means that the fixed costs alone do not fit. */
    available: tokens,
    marks,
  })
  .readonly();
export type Budget = z.infer<typeof budget>;

/** The highest mark a request reaches; `over` is above the effective budget. */
export const mark = z.enum(['under', 'prepare', 'start', 'hard', 'over']);
export type Mark = z.infer<typeof mark>;

/** The highest mark that a request of so many tokens reaches. Inclusive, except for `over`: a request of exactly E fits. Pure. */
export function markAt(tokens: number, { effective, marks: at }: Pick<Budget, 'effective' | 'marks'>): Mark {
  if (tokens > effective) return 'over';
  if (tokens >= at.hard) return 'hard';
  if (tokens >= at.start) return 'start';
  return tokens >= at.prepare ? 'prepare' : 'under';
}

/** The host's measure of a request. `parts` adds up to `tokens`; `metric` says whether its texts were counted or estimated. */
export const judgement = z.object({ tokens, mark, metric: z.enum(['count', 'estimate']), parts: z.record(z.string(), tokens) }).readonly();
export type Judgement = z.infer<typeof judgement>;

/** Limits of one route as known to the host. Null: not known. */
export interface RouteLimits {
  readonly window: Limit;
  /** Output limit that is put on the wire, if one is. */
  readonly maxOutputTokens: number | null;
  readonly inputCap: Limit | null;
}

/** What {@link Budgeting.effective} computes from. All tokens. */
export interface BudgetAsk {
  readonly limits: RouteLimits;
  readonly model: string;
  readonly fixed: FixedCosts;
  /** Tokens of a request that the provider proved too long in this turn, and the limit it stated; null: no such proof. */
  readonly refused: { readonly tokens: number; readonly statedLimit: number | null } | null;
  /** What the manifest of the engine says; the operator's own beat them. Absent: nothing. */
  readonly engineMarks?: MarkOverrides;
}

/** Owned by `budget`. Pure: same input, same answer. */
export interface Budgeting {
  /** The budget of the next request. Never throws: an impossible configuration gives `available: 0`. */
  effective(ask: BudgetAsk): Budget;
  /** Judges a whole request given as parts that add up. */
  judge(parts: Readonly<Record<string, number>>, budget: Budget, metric: Judgement['metric']): Judgement;
  /** Judges what is not yet a request: a branch and what is about to be added. Its `start` is hygiene's: min(85 % of the window, hard). */
  gauge(branchTokens: number, incomingTokens: number, budget: Budget): Judgement;
}

/** Counts text with the store's encoding (o200k_base). Owned by `budget`. */
export interface TokenCounter {
  /** Exact up to 256 KiB, sampled above; large text is counted in a worker thread and never blocks the event loop. */
  count(text: string): Promise<number>;
  /** Same figure, now, on the caller's thread: for texts of a few KiB. Text above 64 KiB is sampled. */
  countNow(text: string): number;
  /** Content-aware guess without the encoding, within 10 % on texts of 50 KB and more. Needs no warm-up. */
  estimate(text: string): number;
  close(): Promise<void>;
}
