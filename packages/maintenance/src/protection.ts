/** What rungs 1 and 4 leave alone as long as they can. Pure. */
import { callsOf, isShownEntry } from '@palimpsest/contracts';
import type { Budget, EntryId, Json, Placed, Shown } from '@palimpsest/contracts';
import type { Part } from './parts.ts';
import { messageIn } from './bundles.ts';

/** Arguments that name a lasting thing, most telling first. */
const RESOURCE_KEYS = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'target_file',
  'absolute_path',
  'filename',
  'file',
  'url',
  'uri',
  'href',
];

export interface Protection {
  readonly newestUserEntry: EntryId | null;
  /** The group whose results the model has not answered yet; null: there is none. */
  readonly openGroup: EntryId | null;
  /** Results and arguments that stay, by {@link keyOf}. */
  readonly kept: ReadonlySet<string>;
}

export function keyOf(part: Pick<Part, 'entry' | 'target' | 'part'>): string {
  return `${part.entry}\n${part.target}\n${part.part ?? ''}`;
}

/** Newest tokens of calls and results that stay as they are. */
export function protectedToolTokens(budget: Budget): number {
  return Math.min(40_000, Math.floor(budget.available * 0.4));
}

/**
 * Results stay when they are of a skill, within the newest tool tokens, or the newest look at a file or address. The last
 * kind may fill half of that allowance again, newest first: in a long session every other result is the newest of something.
 * Arguments stay within the newest tool tokens only: of a large write nobody needs the text twice.
 */
export function protectionOf(shown: readonly Shown[], parts: readonly Part[], budget: Budget, newestUserEntry: EntryId | null): Protection {
  const kept = new Set<string>();
  const allowance = protectedToolTokens(budget);
  const seen = new Set<string>();
  const left = { window: allowance, targets: Math.floor(allowance / 2) };
  for (const part of parts.toReversed()) {
    if (part.target === 'text') continue;
    const target = part.target === 'result' && !part.failed ? targetOf(part) : null;
    const newest = target !== null && !seen.has(target);
    if (target !== null) seen.add(target);
    if (isSkill(part) || fits(left, part, newest)) kept.add(keyOf(part));
  }
  return { newestUserEntry, openGroup: openGroupOf(shown), kept };
}

function fits(left: { window: number; targets: number }, part: Part, newestOfTarget: boolean): boolean {
  left.window -= part.tokens;
  if (left.window >= 0) return true;
  if (!newestOfTarget || part.tokens > left.targets) return false;
  left.targets -= part.tokens;
  return true;
}

export function isSkill(part: Part): boolean {
  return part.target === 'result' && part.tool !== null && /skill/iu.test(part.tool);
}

/** Tool and the file or address it looked at; null: it names none. */
export function targetOf(part: Part): string | null {
  const resource = resourceOf(part.input);
  return part.tool === null || resource === null ? null : `${part.tool}\n${resource}`;
}

function resourceOf(input: Json): string | null {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return null;
  for (const key of RESOURCE_KEYS) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Is nothing of the call but the thing it looks at given? Then the result is all of it. */
export function isWholeLook(input: Json): boolean {
  return (
    input !== null && typeof input === 'object' && !Array.isArray(input) && Object.keys(input).every((key) => RESOURCE_KEYS.includes(key))
  );
}

/** What no engine may cover: the newest user input and the open tool batch. */
export function untouchable(shown: readonly Shown[], newestUserEntry: EntryId | null): readonly Placed[] {
  const openGroup = openGroupOf(shown);
  return shown.flatMap((block) =>
    isShownEntry(block) && (block.placed.entry.id === newestUserEntry || block.placed.group === openGroup) ? [block.placed] : [],
  );
}

/** The newest group of calls, when nothing shown follows its results. */
function openGroupOf(shown: readonly Shown[]): EntryId | null {
  const last = shown.findLast(isShownEntry);
  if (last === undefined) return null;
  const asking = shown.find((block) => isShownEntry(block) && block.placed.entry.id === last.placed.group);
  const message = isShownEntry(asking) ? messageIn(asking.placed) : null;
  const asks = message !== null && callsOf(message).length > 0;
  return asks ? last.placed.group : null;
}
