/** From units and what is kept of them to segments: each stretch that is not kept becomes one summary, if that frees anything. */
import type { Quality, Segment, SummarySegment } from '@palimpsest/contracts';
import { summaryTarget } from './limits.ts';
import { trustOf } from './trust.ts';
import { tokensOf, type LoggedUnit, type Unit } from './units.ts';

export interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly quality: Quality;
}
/** Writes what stands for a stretch in at most `maxTokens`, wrapper included; one line of notice may cost more than that. */
export type Write = (stretch: readonly Unit[], maxTokens: number) => Promise<Written>;

/** Where the goal leaves no room, a summary still gets this much: what it says is worth more than the rest of the goal. */
const LEAST_TOKENS = 256;

export interface Cover {
  readonly units: readonly Unit[];
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
  /** Units that a new summary stands for now. */
  readonly covered: readonly Unit[];
  /** There was something that might be covered. */
  readonly eligible: boolean;
}

export async function cover(ask: Cover): Promise<Covered> {
  const stretches = split(ask.units, ask.kept);
  const allowances = allot(
    stretches.map((stretch) => (stretch.kept ? 0 : target(stretch.units, ask.maxSummaryTokens))),
    ask.roomTokens,
  );
  const segments: Segment[] = [];
  const covered: Unit[] = [];
  let tokens = 0;
  for (const [at, stretch] of stretches.entries()) {
    const summary = stretch.kept ? null : await summarised(stretch.units, allowances[at] ?? 0, ask.write);
    if (summary !== null) covered.push(...stretch.units);
    segments.push(...(summary === null ? stretch.units.map(asItIs) : [summary]));
    tokens += summary === null ? tokensOf(stretch.units) : summary.tokens;
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
  readonly units: Unit[];
}

/** Runs of kept and of not kept units. One logged summary or gap alone is kept: there is nothing to add to it. */
function split(units: readonly Unit[], kept: readonly boolean[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, unit] of units.entries()) {
    const keep = kept[at] === true;
    const last = stretches.at(-1);
    if (last?.kept === keep) last.units.push(unit);
    else stretches.push({ kept: keep, units: [unit] });
  }
  return stretches.map((stretch) => ({ ...stretch, kept: stretch.kept || isLoggedAlone(stretch.units) }));
}

function isLoggedAlone(units: readonly Unit[]): boolean {
  return units.every((unit) => unit.kind === 'logged') && (units.length === 1 || tokensOf(units) === 0);
}

/** An earlier summary may keep its size; of what is new, a summary takes half at most. */
function target(units: readonly Unit[], maxTokens: number): number {
  const total = tokensOf(units);
  const prior = tokensOf(units.filter(isLogged));
  return Math.min(summaryTarget(total, maxTokens), prior + Math.floor((total - prior) / 2));
}

/** Null: it would not be smaller than what it covers. */
async function summarised(units: readonly Unit[], maxTokens: number, write: Write): Promise<SummarySegment | null> {
  const last = units.at(-1);
  const total = tokensOf(units);
  if (last === undefined || total === 0) return null;
  const written = await write(units, maxTokens);
  if (written.tokens >= total) return null;
  return {
    through: last.through,
    show: 'summary',
    text: { inline: written.text },
    tokens: written.tokens,
    quality: written.quality,
    trust: trustOf(units),
  };
}

function asItIs(unit: Unit): Segment {
  return unit.kind === 'logged' ? unit.segment : { through: unit.through, show: 'entries' };
}

function joined(segments: readonly Segment[]): readonly Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    if (segment.show === 'entries' && out.at(-1)?.show === 'entries') out.pop();
    out.push(segment);
  }
  return out.at(-1)?.show === 'entries' ? out.slice(0, -1) : out;
}

export function isLogged(unit: Unit): unit is LoggedUnit {
  return unit.kind === 'logged';
}
