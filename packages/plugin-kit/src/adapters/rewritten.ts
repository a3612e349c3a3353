/** From a rewritten list of messages to what the contract speaks of: segments and reductions. Pure. */
import type { EntryId, ReductionItem, Segment } from '@palimpsest/contracts';
import { segmentsFrom, type Showing, type Piece } from '../plans.ts';
import type { PlainGroup, PlainMessage } from './plain-messages.ts';

export interface Rewrite {
  readonly groups: readonly PlainGroup[];
  readonly returned: readonly PlainMessage[];
  /** Entries that stay whatever was returned. */
  readonly kept: ReadonlySet<EntryId>;
  /** Tokens of a summary's text, with the wrapper the host puts around it. */
  readonly countBlock: (text: string) => number;
}

/** Every group, kept or covered. @throws Error when a message was added although none was left out: there is no place for it. */
export function rewrittenSegments(rewrite: Rewrite): readonly Segment[] {
  const kept = keptOf(rewrite);
  const texts = addedTexts(rewrite, kept);
  const pieces: Piece[] = [];
  for (let at = 0; at < rewrite.groups.length;) {
    const end = kept[at] === true ? at + 1 : endOfGap(kept, at);
    const group = rewrite.groups[end - 1];
    if (group === undefined) break;
    pieces.push({ through: group.through, showing: kept[at] === true ? shown(group) : leftOut(texts.get(at), rewrite.countBlock) });
    at = end;
  }
  return segmentsFrom(pieces);
}

/** Shown messages whose text was changed; what has to stay keeps its own. */
export function rewrittenItems({ groups, returned, kept, countBlock }: Rewrite): readonly ReductionItem[] {
  const texts = new Map(returned.map((message) => [keyOf(message), message.content]));
  return groups
    .filter(({ covered }) => covered === null)
    .flatMap(({ messages }) => messages)
    .flatMap((message): ReductionItem[] => {
      const text = texts.get(keyOf(message));
      if (text === undefined || text === message.content || message.id === undefined || kept.has(message.id as EntryId)) return [];
      const place =
        message.tool_call_id === undefined
          ? ({ part: null, target: 'text' } as const)
          : ({ part: message.tool_call_id, target: 'result' } as const);
      return [{ entry: message.id as EntryId, ...place, text, tokens: countBlock(text), reason: 'masked' }];
    });
}

/** A group of which any message came back is kept whole; one without messages goes with the one before. */
function keptOf({ groups, returned, kept }: Rewrite): readonly boolean[] {
  const back = new Set(returned.map(keyOf));
  const decided: boolean[] = [];
  for (const { messages, entries } of groups) {
    const silent = messages.length === 0 && !entries.some((id) => kept.has(id));
    decided.push(
      silent ? (decided.at(-1) ?? true) : messages.some((message) => back.has(keyOf(message))) || entries.some((id) => kept.has(id)),
    );
  }
  return decided;
}

/** Texts of added messages by the start of the gap they stand for: the one at their place, else the nearest before it, else the first. */
function addedTexts({ groups, returned }: Rewrite, kept: readonly boolean[]): ReadonlyMap<number, string> {
  const gaps = kept.flatMap((is, at) => (!is && kept[at - 1] !== false ? [at] : []));
  const places = new Map(groups.flatMap(({ messages }, at) => messages.map((message) => [keyOf(message), at] as const)));
  const texts = new Map<number, string>();
  let behind = -1;
  for (const message of returned) {
    const place = message.id === undefined ? undefined : places.get(keyOf(message));
    if (place !== undefined) behind = place;
    else if (message.content.trim() !== '') add(texts, gapFor(gaps, behind), message.content);
  }
  return texts;
}

function gapFor(gaps: readonly number[], behind: number): number {
  const gap = gaps.includes(behind + 1) ? behind + 1 : (gaps.findLast((start) => start <= behind) ?? gaps[0]);
  if (gap === undefined) throw new Error('a message was added although none was left out');
  return gap;
}

function add(texts: Map<number, string>, at: number, text: string): void {
  const before = texts.get(at);
  texts.set(at, before === undefined ? text : `${before}\n\n${text}`);
}

function endOfGap(kept: readonly boolean[], from: number): number {
  const next = kept.indexOf(true, from);
  return next < 0 ? kept.length : next;
}

function shown({ covered }: PlainGroup): Showing {
  return covered ?? { show: 'entries' };
}

function leftOut(text: string | undefined, countBlock: (text: string) => number): Showing {
  if (text === undefined) return { show: 'nothing', reason: 'left out by the engine', reach: null };
  return { show: 'summary', text: { inline: text }, tokens: countBlock(text), quality: 'extract', trust: 'tool' };
}

function keyOf({ id, tool_call_id: call }: PlainMessage): string {
  return `${id ?? ''} ${call ?? ''}`;
}
