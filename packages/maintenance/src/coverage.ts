/** Covered bundles as segments of a compaction: all that is in force from the root, nothing cut. Pure. */
import { addLeftOut, edgeOf, isShownEntry, NOTHING_LEFT_OUT } from '@palimpsest/contracts';
import type { EntryId, LeftOut, Segment, Shown } from '@palimpsest/contracts';
import type { Measure } from './measure.ts';
import { leftOutBy, noticeSegment } from './notice.ts';
import { type Bundle } from './bundles.ts';

export interface CoverAsk {
  readonly shown: readonly Shown[];
  readonly bundles: readonly Bundle[];
  /** Indexes of `bundles`. */
  readonly covered: ReadonlySet<number>;
  /** What each block costs, by position. */
  readonly tokens: readonly number[];
  readonly measure: Pick<Measure, 'summary'>;
}

export interface Coverage {
  readonly segments: readonly Segment[];
  /** Shown tokens of the whole branch with these segments in force. */
  readonly tokens: number;
  /** Positions of `shown` that a notice stands for. */
  readonly hidden: ReadonlySet<number>;
}

type Run =
  | { readonly kind: 'kept' | 'silent'; readonly from: number; readonly to: number }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number; readonly segment: Segment }
  | { readonly kind: 'notice'; readonly from: number; readonly to: number; readonly leftOut: LeftOut; readonly only: 'entries' | 'any' };

/** A lone small message is not covered: the notice would cost more. */
export function coverageOf(ask: CoverAsk): Coverage {
  const runs = settled(ask, joined(ask.bundles.map((bundle, index) => runOf(ask, bundle, index))));
  const last = runs.findLastIndex(({ kind }) => kind === 'notice' || kind === 'fixed');
  const segments = runs.slice(0, last + 1).flatMap((run): readonly Segment[] => segmentOf(ask, run));
  const hidden = new Set(
    runs.flatMap((run) => (run.kind === 'notice' ? Array.from({ length: run.to - run.from }, (_, at) => run.from + at) : [])),
  );
  return { segments, hidden, tokens: totalOf(ask, hidden, segments) };
}

function totalOf(ask: CoverAsk, hidden: ReadonlySet<number>, segments: readonly Segment[]): number {
  const kept = ask.tokens.reduce((sum, tokens, at) => (hidden.has(at) || ask.shown[at]?.kind !== 'entry' ? sum : sum + tokens), 0);
  return segments.reduce((sum, segment) => (segment.show === 'summary' ? sum + segment.tokens : sum), kept);
}

function runOf(ask: CoverAsk, bundle: Bundle, index: number): Run {
  const { from, to } = bundle;
  const block = ask.shown[from];
  const earlier = block === undefined ? null : leftOutBy(block);
  if (earlier !== null) return { kind: 'notice', from, to, leftOut: earlier, only: 'any' };
  if (ask.covered.has(index))
    return { kind: 'notice', from, to, leftOut: leftOutOf(ask, bundle), only: bundle.kind === 'summary' ? 'any' : 'entries' };
  if (block !== undefined && block.kind !== 'entry') return { kind: 'fixed', from, to, segment: block.segment };
  return { kind: bundle.kind === 'silent' ? 'silent' : 'kept', from, to };
}

/** What the log holds, not what it cost as it was shown last. */
function leftOutOf({ shown }: CoverAsk, bundle: Bundle): LeftOut {
  return shown.slice(bundle.from, bundle.to).reduce((sum, block) => {
    if (block.kind !== 'entry') return addLeftOut(sum, { messages: 0, summaries: 1, tokens: block.tokens });
    return isShownEntry(block) ? addLeftOut(sum, { messages: 1, summaries: 0, tokens: block.placed.entry.tokens }) : sum;
  }, NOTHING_LEFT_OUT);
}

/** Neighbours of one kind become one run; silent entries belong to the run they stand behind, or in front of the first. */
function joined(runs: readonly Run[]): readonly Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const before = out.at(-1);
    const both = before === undefined ? null : together(before, run);
    if (both === null) out.push(run);
    else out[out.length - 1] = both;
  }
  return out;
}

function together(before: Run, run: Run): Run | null {
  if (before.kind === 'fixed' || run.kind === 'fixed') return null;
  if (run.kind === 'silent') return { ...before, to: run.to };
  if (before.kind === 'silent') return { ...run, from: before.from };
  if (before.kind === 'notice' && run.kind === 'notice') {
    return {
      kind: 'notice',
      from: before.from,
      to: run.to,
      leftOut: addLeftOut(before.leftOut, run.leftOut),
      only: before.only === 'any' ? 'any' : run.only,
    };
  }
  return before.kind === 'kept' && run.kind === 'kept' ? { kind: 'kept', from: before.from, to: run.to } : null;
}

/** Notices that would cost as much as what they stand for are not made. */
function settled(ask: CoverAsk, runs: readonly Run[]): readonly Run[] {
  return joined(
    runs.map((run): Run => {
      if (run.kind !== 'notice' || run.only === 'any') return run;
      const saved = ask.tokens.slice(run.from, run.to).reduce((sum, tokens) => sum + tokens, 0);
      return saved > noticeSegment('' as EntryId, run.leftOut, ask.measure).tokens ? run : { kind: 'kept', from: run.from, to: run.to };
    }),
  );
}

function segmentOf(ask: CoverAsk, run: Run): readonly Segment[] {
  if (run.kind === 'fixed') return [run.segment];
  const block = ask.shown[run.to - 1];
  if (block === undefined) return [];
  return [run.kind === 'notice' ? noticeSegment(edgeOf(block), run.leftOut, ask.measure) : { through: edgeOf(block), show: 'entries' }];
}
