/** The window of a compaction: what is shown now, in pieces that are covered or kept as one. Pure. */
import type { EntryId, NothingSegment, Placed, SummarySegment } from '@palimpsest/contracts';

/** Entries that no edge may separate: a tool group with what stands between its members, else one entry; silent ones go with the next. */
export interface EntriesBundle {
  readonly kind: 'entries';
  readonly placed: readonly Placed[];
  readonly through: EntryId;
  readonly tokens: number;
  /** Shown entries. */
  readonly messages: number;
}
/** A stretch that a compaction in force covers already. */
export interface LoggedBundle {
  readonly kind: 'logged';
  readonly segment: SummarySegment | NothingSegment;
  readonly through: EntryId;
  readonly tokens: number;
  /** The summary's text; null: there is none, or it cannot be read. */
  readonly text: string | null;
}
export type Bundle = EntriesBundle | LoggedBundle;

/** @param placed consecutive entries, oldest first, none of them covered. */
export function entryBundles(placed: readonly Placed[]): readonly EntriesBundle[] {
  const lastOfGroup = new Map(placed.map(({ group }, at) => [group, at]));
  const bundles: EntriesBundle[] = [];
  let from = 0;
  let closesAt = -1;
  for (const [at, { group, shape }] of placed.entries()) {
    if (shape.kind === 'silent' && closesAt < at) continue;
    if (shape.kind !== 'silent') closesAt = Math.max(closesAt, lastOfGroup.get(group) ?? at);
    if (closesAt > at) continue;
    bundles.push(...bundleOf(placed.slice(from, at + 1)));
    from = at + 1;
  }
  return withRest(bundles, placed.slice(from));
}

/** Silent entries behind the last shown one belong to it. */
function withRest(bundles: EntriesBundle[], rest: readonly Placed[]): readonly EntriesBundle[] {
  const last = rest.length === 0 ? undefined : bundles.pop();
  return [...bundles, ...bundleOf([...(last?.placed ?? []), ...rest])];
}

function bundleOf(placed: readonly Placed[]): readonly EntriesBundle[] {
  const last = placed.at(-1);
  if (last === undefined) return [];
  let [tokens, messages] = [0, 0];
  for (const { shape, shownTokens } of placed) {
    if (shape.kind === 'silent') continue;
    tokens += shownTokens;
    messages += 1;
  }
  return [{ kind: 'entries', placed, through: last.entry.id, tokens, messages }];
}

export function loggedBundle(segment: SummarySegment | NothingSegment, text: string | null): LoggedBundle {
  return { kind: 'logged', segment, through: segment.through, tokens: segment.show === 'summary' ? segment.tokens : 0, text };
}

export function tokensOf(bundles: readonly Bundle[]): number {
  return sum(bundles.map(({ tokens }) => tokens));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
