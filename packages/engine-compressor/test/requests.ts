import type { Budget, CompactOutcome, CompactRequest, ContextEngine, EngineHost, Summary } from '@palimpsest/contracts';
import { compressorOptions, type CompressorOptions } from '../src/options.ts';
import { CompressorEngine } from '../src/engine.ts';
import { countTokens, SESSION, type MemoryBranch } from './memory-branch.ts';

/** Tokens of the frame that the fake host puts around a summary. */
export const FRAME_TOKENS = 12;

export function budgetOf(windowTokens: number, startTokens = Math.floor(windowTokens * 0.75)): Budget {
  const none = { tokens: 0, origin: 'unknown' as const };
  return {
    window: { tokens: windowTokens, origin: 'config' },
    reserve: none,
    inputCap: null,
    effective: windowTokens,
    fixed: { system: 0, tools: 0, hooks: 0, envelope: 0, total: 0 },
    available: windowTokens,
    marks: {
      low: Math.floor((startTokens * 2) / 3),
      prepare: Math.floor(startTokens * 0.75),
      start: startTokens,
      hard: Math.floor(windowTokens * 0.95),
    },
  };
}

export interface HostSpec {
  readonly granted?: readonly string[];
  readonly artifacts?: Readonly<Record<string, string>>;
  readonly summarize?: EngineHost['summarize'];
  readonly warnings?: string[];
}

export function hostOf(options: Partial<CompressorOptions> = {}, spec: HostSpec = {}): EngineHost<CompressorOptions> {
  const unused = (): never => {
    throw new Error('the compressor does not use this');
  };
  return {
    options: Object.freeze(compressorOptions.parse(options)),
    session: SESSION,
    now: unused,
    random: unused,
    pause: () => Promise.resolve(),
    search: unused,
    log: { info: () => undefined, warn: (text) => void spec.warnings?.push(text) },
    tokens: { count: countTokens, block: (text) => countTokens(text) + FRAME_TOKENS },
    summarize: spec.summarize ?? unused,
    artifacts: {
      make: unused,
      get: (id) =>
        Promise.resolve(
          spec.artifacts?.[id] === undefined
            ? null
            : { id, kind: 'compaction_summary', session: SESSION, body: spec.artifacts[id], source: null, madeBy: null, tokens: 1 },
        ),
    },
    derived: { get: unused, set: unused, list: unused, clear: unused },
    info: { contract: '1.0', product: 'test', granted: spec.granted ?? [] },
  };
}

export function engineOf(
  options: Partial<CompressorOptions> = {},
  spec: HostSpec = {},
): ContextEngine & Required<Pick<ContextEngine, 'compact' | 'status'>> {
  return new CompressorEngine(hostOf(options, spec));
}

export function requestOf(branch: MemoryBranch, fields: Partial<CompactRequest> = {}): CompactRequest {
  return {
    session: SESSION,
    branch: branch.reader(),
    newestUserEntry: branch.newestUserEntry(),
    budget: budgetOf(32_000),
    signal: new AbortController().signal,
    deadlineMs: Number.MAX_SAFE_INTEGER,
    trigger: 'threshold',
    goalTokens: 16_000,
    keepRecent: null,
    focus: null,
    protectedEntries: [],
    generation: 1,
    ...fields,
  };
}

/** The segments, or a failed test that shows the outcome. */
export function segmentsOf(
  outcome: CompactOutcome,
): NonNullable<Extract<CompactOutcome, { kind: 'compacted' }>['drafts']['compaction']>['segments'] {
  if (outcome.kind !== 'compacted' || outcome.drafts.compaction === undefined) throw new Error(`not compacted: ${JSON.stringify(outcome)}`);
  return outcome.drafts.compaction.segments;
}

export function summaryTexts(outcome: CompactOutcome): readonly string[] {
  return segmentsOf(outcome).flatMap((segment) => (segment.show === 'summary' && 'inline' in segment.text ? [segment.text.inline] : []));
}

export type { Summary };
