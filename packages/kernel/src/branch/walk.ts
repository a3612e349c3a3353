import { isSilent } from '@palimpsest/contracts';
import type { Entry, EntryId, EntryKind, Log, SessionId } from '@palimpsest/contracts';
import { asks, isResult } from './units.ts';

const PAGE = 2000;

/** Where to read: from `leaf` (itself included) towards the root, up to but without `until` (null: the root). */
export interface Stretch {
  readonly session: SessionId;
  readonly leaf: EntryId;
  readonly until: EntryId | null;
}

/** Entries of a stretch, newest first, page by page. */
export async function* walk(log: Log, stretch: Stretch, kinds?: readonly EntryKind[]): AsyncGenerator<Entry> {
  for (let before: EntryId | undefined; ;) {
    const page = await log.branch(stretch.session, stretch.leaf, {
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
      ...(kinds === undefined ? {} : { kinds }),
    });
    for (const entry of page) {
      if (entry.id === stretch.until) return;
      yield entry;
    }
    before = page.at(-1)?.id;
    if (before === undefined) return;
  }
}

/** The same with the tool group of each entry: results wait for the message that asked; bookkeeping among them does not part them. */
export async function* walkGrouped(log: Log, stretch: Stretch): AsyncGenerator<{ readonly entry: Entry; readonly group: EntryId }> {
  let waiting: Entry[] = [];
  for await (const entry of walk(log, stretch)) {
    if (isResult(entry) || (waiting.length > 0 && isSilent(entry))) waiting.push(entry);
    else {
      const asked = waiting.length > 0 && asks(entry);
      for (const held of waiting) yield { entry: held, group: asked && isResult(held) ? entry.id : held.id };
      waiting = [];
      yield { entry, group: entry.id };
    }
  }
  for (const result of waiting) yield { entry: result, group: result.id };
}
