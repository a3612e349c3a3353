/** What the decision has to know of a unit's messages. Pure. */
import type { EntryId, Placed } from '@palimpsest/contracts';
import type { EntriesUnit, Unit } from './units.ts';

function shown(unit: EntriesUnit): readonly Placed[] {
  return unit.placed.filter(({ shape }) => shape.kind !== 'silent');
}

export function holds(unit: Unit, ids: ReadonlySet<EntryId>): boolean {
  return unit.kind === 'entries' && unit.placed.some(({ entry }) => ids.has(entry.id));
}

/** A message that a person wrote, by provenance: text that is not blank, or an image or file alone. */
export function hasRealUser(unit: Unit): boolean {
  return (
    unit.kind === 'entries' &&
    shown(unit).some(({ entry }) => {
      if (entry.kind !== 'message' || entry.origin !== 'user_input' || entry.message.role !== 'user') return false;
      return entry.message.content.some((part) => part.type !== 'text' || part.text.trim() !== '');
    })
  );
}

/** Text of the model that a reader sees as its answer. */
export function hasReply(unit: Unit): boolean {
  return (
    unit.kind === 'entries' &&
    shown(unit).some(({ entry }) => {
      if (entry.kind !== 'message' || entry.message.role !== 'assistant') return false;
      return entry.message.content.some((part) => part.type === 'text' && part.text.trim() !== '');
    })
  );
}

/** A tail must not begin with the result of a call that nobody sees. */
export function startsWithResult(unit: Unit): boolean {
  if (unit.kind !== 'entries') return false;
  const first = shown(unit)[0]?.entry;
  return first?.kind === 'message' && first.message.role === 'tool';
}

/** The newest unit with a reply of the model, where calls wait for their results: a later append belongs to it. */
export function openBatch(units: readonly Unit[]): number {
  const at = units.findLastIndex(
    (unit) => unit.kind === 'entries' && shown(unit).some(({ entry }) => entry.kind === 'message' && entry.message.role === 'assistant'),
  );
  const unit = units[at];
  return unit?.kind === 'entries' && openCalls(unit) > 0 ? at : -1;
}

function openCalls(unit: EntriesUnit): number {
  const open = new Set<string>();
  for (const { entry } of shown(unit)) {
    if (entry.kind !== 'message' || entry.message.role === 'user') continue;
    for (const part of entry.message.content) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) open.add(part.toolCallId);
      if (part.type === 'tool-result') open.delete(part.toolCallId);
    }
  }
  return open.size;
}

/** A client's own summary of older turns among the first `messages` shown entries: a session that was compacted before it came here. */
export function opensWithHandoff(units: readonly Unit[], messages: number): boolean {
  const first = units.flatMap((unit) => (unit.kind === 'entries' ? shown(unit) : [])).slice(0, messages);
  return first.some(({ entry }) => entry.kind === 'message' && entry.origin === 'handoff');
}
