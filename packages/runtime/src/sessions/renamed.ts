import type { Draft, Entry, EntryId, Segment } from '@palimpsest/contracts';

/** New names for the entries of a copy; what is not copied keeps its name. */
export type Renaming = (id: EntryId) => EntryId;

export const asItIs: Renaming = (id) => id;

/** @param ids of everything that is copied; each gets a fresh name. */
export function renaming(ids: Iterable<EntryId>, fresh: () => EntryId): Renaming {
  const names = new Map<EntryId, EntryId>();
  for (const id of ids) names.set(id, fresh());
  return (id) => names.get(id) ?? id;
}

/** The entry as a draft for another place: time, turn and tokens are kept, and every entry it names is named anew. */
export function renamed(entry: Entry, name: Renaming): Draft {
  const { parent: _parent, session: _session, seq: _seq, depth: _depth, ...draft } = entry;
  const moved = { ...draft, id: name(draft.id), turn: draft.turn === null ? null : name(draft.turn) };
  return { ...moved, ...references(entry, name) };
}

/** The fields of a body that name entries. */
function references(entry: Entry, name: Renaming): object {
  switch (entry.kind) {
    case 'compaction':
      return { ...(entry.first === undefined ? {} : { first: name(entry.first) }), segments: segments(entry.segments, name) };
    case 'reduction':
      return { items: entry.items.map((item) => ({ ...item, entry: name(item.entry) })) };
    case 'undo':
      return { lifts: name(entry.lifts) };
    case 'step':
      return {
        epoch: entry.epoch === null ? null : name(entry.epoch),
        prompt: entry.prompt === null ? null : name(entry.prompt),
        plan: { ...entry.plan, segments: segments(entry.plan.segments, name) },
        ...(entry.outcome.kind === 'reply' ? { outcome: { ...entry.outcome, reply: name(entry.outcome.reply) } } : {}),
      };
    case 'branch-summary':
      return { left: name(entry.left) };
    case 'label':
      return { target: name(entry.target) };
    default:
      return {};
  }
}

const segments = (all: readonly Segment[], name: Renaming): readonly Segment[] =>
  all.map((segment) => ({ ...segment, through: name(segment.through) }));
