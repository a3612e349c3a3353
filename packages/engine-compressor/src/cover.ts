/** From bundles and what is kept of them to segments: each stretch that is not kept becomes one summary, if that frees anything. */
import type { LeftOut, Quality, Segment, SummarySegment } from '@palimpsest/contracts';
import { summaryTarget } from './limits.ts';
import { trustOf } from './trust.ts';
import { tokensOf, type LoggedBundle, type Bundle } from './bundles.ts';

export interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly quality: Quality;
  /** Where the text says no more than that something is gone. */
  readonly leftOut?: LeftOut;
}
/** Writes what stands for a stretch in at most `maxTokens`, wrapper included; one line of notice may cost more than that. */
export type Write = (stretch: readonly Bundle[], maxTokens: number) => Promise<Written>;

/** Where the goal leaves no room, a summary still gets this much: what it says is worth more than the rest of the goal. */
const LEAST_TOKENS = 256;

export interface Cover {
  readonly bundles: readonly Bundle[];
  readonly kept: readonly boolean[];
  /** Tokens that all summaries together may cost. */
  readonly roomTokens: number;
  readonly maxSummaryTokens: number;
  readonly write: Write;
}

export interface Covered {
  /** From the root to the last summary or gap; what follows is shown. */
  readonly segments: readonly Segment[];
  /** What the whole window costs with them. */
  readonly tokens: number;
  /** Bundles that a new summary stands for now. */
  readonly covered: readonly Bundle[];
  /** There was something that might be covered. */
  readonly eligible: boolean;
}

export async function cover(ask: Cover): Promise<Covered> {
  const stretches = split(ask.bundles, ask.kept);
  const allowances = allot(
    stretches.map((stretch) => (stretch.kept ? 0 : target(stretch.bundles, ask.maxSummaryTokens))),
    ask.roomTokens,
  );
  const segments: Segment[] = [];
  const covered: Bundle[] = [];
  let tokens = 0;
  for (const [at, stretch] of stretches.entries()) {
    const summary = stretch.kept ? null : await summarised(stretch.bundles, allowances[at] ?? 0, ask.write);
    if (summary !== null) covered.push(...stretch.bundles);
    segments.push(...(summary === null ? stretch.bundles.map(asItIs) : [summary]));
    tokens += summary === null ? tokensOf(stretch.bundles) : summary.tokens;
  }
  return { segments: joined(segments), tokens, covered, eligible: stretches.some(({ kept }) => !kept) };
}

/** To each what it needs at least, also beyond the room; what is left of the room by what each wants more. */
function allot(targets: readonly number[], roomTokens: number): readonly number[] {
  const least = targets.map((tokens) => Math.min(tokens, LEAST_TOKENS));
  const more = sum(targets) - sum(least);
  const share = more === 0 ? 0 : Math.min(1, Math.max(0, roomTokens - sum(least)) / more);
  return targets.map((tokens, at) => Math.floor((least[at] ?? 0) + (tokens - (least[at] ?? 0)) * share));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

interface Stretch {
  readonly kept: boolean;
  readonly bundles: Bundle[];
}

/** Runs of kept and of not kept bundles. One logged summary or gap alone is kept: there is nothing to add to it. */
function split(bundles: readonly Bundle[], kept: readonly boolean[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, bundle] of bundles.entries()) {
    const keep = kept[at] === true;
    const last = stretches.at(-1);
    if (last?.kept === keep) last.bundles.push(bundle);
    else stretches.push({ kept: keep, bundles: [bundle] });
  }
  return stretches.map((stretch) => ({ ...stretch, kept: stretch.kept || isLoggedAlone(stretch.bundles) }));
}

function isLoggedAlone(bundles: readonly Bundle[]): boolean {
  return bundles.every((bundle) => bundle.kind === 'logged') && (bundles.length === 1 || tokensOf(bundles) === 0);
}

/** An earlier summary may keep its size; of what is new, a summary takes half at most. */
function target(bundles: readonly Bundle[], maxTokens: number): number {
  const total = tokensOf(bundles);
  const prior = tokensOf(bundles.filter(isLogged));
  return Math.min(summaryTarget(total, maxTokens), prior + Math.floor((total - prior) / 2));
}

/** Null: it would not be smaller than what it covers. */
async function summarised(bundles: readonly Bundle[], maxTokens: number, write: Write): Promise<SummarySegment | null> {
  const last = bundles.at(-1);
  const total = tokensOf(bundles);
  if (last === undefined || total === 0) return null;
  const written = await write(bundles, maxTokens);
  if (written.tokens >= total) return null;
  return {
    through: last.through,
    show: 'summary',
    text: { inline: written.text },
    tokens: written.tokens,
    quality: written.quality,
    ...(written.leftOut === undefined ? {} : { leftOut: written.leftOut }),
    trust: trustOf(bundles),
  };
}

function asItIs(bundle: Bundle): Segment {
  return bundle.kind === 'logged' ? bundle.segment : { through: bundle.through, show: 'entries' };
}

function joined(segments: readonly Segment[]): readonly Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    if (segment.show === 'entries' && out.at(-1)?.show === 'entries') out.pop();
    out.push(segment);
  }
  return out.at(-1)?.show === 'entries' ? out.slice(0, -1) : out;
}

export function isLogged(bundle: Bundle): bundle is LoggedBundle {
  return bundle.kind === 'logged';
}
