/** The working state of one trim: what is covered, what is a window, what all of it costs. Pure towards the outside. */
import { isShownEntry, shownTokensOf } from '@palimpsest/contracts';
import type { Budget, EntryId, ReductionItem, Segment, Shown } from '@palimpsest/contracts';
import { coverageOf, type Coverage } from './coverage.ts';
import type { Measure } from './measure.ts';
import { leftOutBy } from './notice.ts';
import { partsOf, type Part } from './parts.ts';
import { keyOf, protectionOf, type Protection } from './protection.ts';
import { itemsInForce, mergedItems, messageIn, bundlesOf, type Bundle } from './bundles.ts';
import { waterLevel } from './water-level.ts';
import { windowedPart } from './part-window.ts';

export interface TrimAsk {
  readonly shown: readonly Shown[];
  readonly budget: Budget;
  readonly newestUserEntry: EntryId | null;
  /** Shown tokens to get down to, and those that must not be exceeded. */
  readonly goalTokens: number;
  readonly ceilingTokens: number;
}

export interface Trim {
  /** Null: nothing more is covered than before. */
  readonly segments: readonly Segment[] | null;
  readonly items: readonly ReductionItem[];
  /** Shown tokens afterwards. */
  readonly tokens: number;
}

/** A cut costs more in a message than as text (escapes); each round corrects the one before. */
const ROUNDS = 6;

/** What a trim has decided so far. Lives for one plan. */
export class Trimming {
  readonly ask: TrimAsk;
  readonly bundles: readonly Bundle[];
  readonly parts: readonly Part[];
  readonly protection: Protection;
  private readonly measure: Measure;
  private readonly covered = new Set<number>();
  private readonly items = new Map<number, readonly ReductionItem[]>();
  private readonly tokens: number[];
  private readonly sizes = new Map<Part, number>();
  /** Tokens that a message costs per token of its texts: escapes and envelope. By position. */
  private readonly overhead = new Map<number, number>();
  private readonly protectedBundles: ReadonlySet<number | undefined>;

  constructor(ask: TrimAsk, measure: Measure) {
    this.ask = ask;
    const notices = new Map<string, number>();
    this.measure = { ...measure, summary: (text) => notices.get(text) ?? remembered(notices, text, measure.summary(text)) };
    this.bundles = bundlesOf(ask.shown);
    this.parts = partsOf(ask.shown);
    this.protection = protectionOf(ask.shown, this.parts, ask.budget, ask.newestUserEntry);
    const bundleAt = this.bundles.flatMap(({ from, to }, index) => Array.from({ length: to - from }, () => index));
    this.protectedBundles = new Set(this.parts.filter((part) => this.protection.kept.has(keyOf(part))).map(({ at }) => bundleAt[at]));
    this.tokens = ask.shown.map(shownTokensOf);
  }

  tokensAt(at: number): number {
    return this.tokens[at] ?? 0;
  }

  /** Bundle indexes, one step each. */
  indexes(wanted: (bundle: Bundle, index: number) => boolean): readonly (readonly number[])[] {
    return this.bundles.flatMap((bundle, index) => (wanted(bundle, index) ? [[index]] : []));
  }

  userInput(): readonly Part[] {
    return this.parts.filter(({ entry, target }) => target === 'text' && entry === this.protection.newestUserEntry);
  }

  holdsUserInput(index: number): boolean {
    return this.entriesOf(index).some(({ id }) => id === this.protection.newestUserEntry);
  }

  /** The newest input and the open batch: what the next reply answers. */
  isLast(index: number): boolean {
    return this.entriesOf(index).some(({ id, group }) => id === this.protection.newestUserEntry || group === this.protection.openGroup);
  }

  isProtected(index: number): boolean {
    return this.isLast(index) || this.protectedBundles.has(index);
  }

  /** Covers as few of the steps, in their order, as bring the branch to the goal; all of them when none do. */
  cover(steps: readonly (readonly number[])[], goalTokens: number): void {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.coverage(steps.slice(0, middle)).tokens <= goalTokens) high = middle;
      else low = middle + 1;
    }
    for (const index of steps.slice(0, low).flat()) this.covered.add(index);
  }

  /** Cuts the largest of these parts down to one level, so that the branch reaches the goal; none below `floor`. */
  squeeze(parts: readonly Part[], goalTokens: number, floor: number): void {
    for (let round = 0; round < ROUNDS; round += 1) {
      const coverage = this.coverage([]);
      const excess = coverage.tokens - goalTokens;
      const visible = parts.filter(({ at }) => !coverage.hidden.has(at));
      if (excess <= 0 || visible.length === 0) return;
      const sizes = visible.map((part) => this.sizeOf(part));
      const level = waterLevel(sizes, sizes.reduce((sum, size) => sum + size, 0) - excess, floor);
      const changed = [
        ...Map.groupBy(
          visible.filter((part) => this.sizeOf(part) > level),
          ({ at }) => at,
        ),
      ].map(([at, group]) => this.cut(at, group, level));
      if (!changed.includes(true)) return;
    }
  }

  result(): Trim {
    const { segments, hidden, tokens } = this.coverage([]);
    const items = [...this.items].filter(([at]) => !hidden.has(at)).flatMap(([, made]) => made);
    const more = [...hidden].some((at) => this.isNew(at));
    return more ? { segments, items, tokens } : { segments: null, items, tokens: this.tokens.reduce((sum, one) => sum + one, 0) };
  }

  /** Something that was shown until now, other than an earlier notice. */
  private isNew(at: number): boolean {
    const block = this.ask.shown[at];
    return isShownEntry(block) || (block?.kind === 'summary' && leftOutBy(block) === null);
  }

  private coverage(more: readonly (readonly number[])[]): Coverage {
    const covered = more.length === 0 ? this.covered : new Set([...this.covered, ...more.flat()]);
    return coverageOf({ shown: this.ask.shown, bundles: this.bundles, covered, tokens: this.tokens, measure: this.measure });
  }

  private sizeOf(part: Part): number {
    return this.sizes.get(part) ?? part.tokens;
  }

  private entriesOf(index: number): readonly { readonly id: EntryId; readonly group: EntryId }[] {
    const bundle = this.bundles[index];
    return bundle === undefined
      ? []
      : this.ask.shown
          .slice(bundle.from, bundle.to)
          .flatMap((block) => (isShownEntry(block) ? [{ id: block.placed.entry.id, group: block.placed.group }] : []));
  }

  /** All cuts of one entry at once: it is counted once. False when it would not get cheaper and nothing was learned for another try. */
  private cut(at: number, parts: readonly Part[], level: number): boolean {
    const block = this.ask.shown[at];
    const message = isShownEntry(block) ? messageIn(block.placed) : null;
    if (!isShownEntry(block) || message === null) return false;
    const room = Math.max(1, Math.floor(level / (this.overhead.get(at) ?? 1)));
    const cuts = parts.map((part) => ({ part, text: windowedPart(part, room, this.measure) }));
    const fresh = cuts.map(({ part, text }): ReductionItem => ({
      entry: part.entry,
      part: part.part,
      target: part.target,
      text,
      tokens: 0,
      reason: 'windowed',
    }));
    const items = mergedItems(this.items.get(at) ?? [], fresh);
    const tokens = this.measure.message(message, mergedItems(itemsInForce(block.placed), items));
    const counted = cuts.map(({ part, text }) => ({ part, tokens: Math.max(1, this.measure.text(text)) }));
    const dearer = this.learn(at, counted, tokens);
    if (tokens >= this.tokensAt(at)) return dearer;
    this.items.set(
      at,
      items.map((item) => ({ ...item, tokens })),
    );
    this.tokens[at] = tokens;
    for (const one of counted) this.sizes.set(one.part, Math.ceil(one.tokens * (this.overhead.get(at) ?? 1)));
    return true;
  }

  /** True when the message costs clearly more per token of text than was thought. */
  private learn(at: number, counted: readonly { readonly part: Part; readonly tokens: number }[], tokens: number): boolean {
    const inCuts = counted.reduce((sum, one) => sum + one.tokens, 0);
    const cut = new Set(counted.map(({ part }) => part));
    const others = this.parts.filter((part) => part.at === at && !cut.has(part)).reduce((sum, part) => sum + this.sizeOf(part), 0);
    const before = this.overhead.get(at) ?? 1;
    const overhead = Math.max(1, (tokens - others) / inCuts);
    this.overhead.set(at, overhead);
    return overhead > before * 1.02;
  }
}

function remembered(notices: Map<string, number>, text: string, tokens: number): number {
  notices.set(text, tokens);
  return tokens;
}
