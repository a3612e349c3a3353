/** What the decision has to know of a bundle's messages. Pure. */
import { callsOf, resultIdsOf, unanswered } from '@palimpsest/contracts';
import type { EntryId, Placed } from '@palimpsest/contracts';
import type { EntriesBundle, Bundle } from './bundles.ts';

function shown(bundle: EntriesBundle): readonly Placed[] {
  return bundle.placed.filter(({ shape }) => shape.kind !== 'silent');
}

export function holds(bundle: Bundle, ids: ReadonlySet<EntryId>): boolean {
  return bundle.kind === 'entries' && bundle.placed.some(({ entry }) => ids.has(entry.id));
}

/** A message that a person wrote, by provenance: text that is not blank, or an image or file alone. */
export function hasRealUser(bundle: Bundle): boolean {
  return (
    bundle.kind === 'entries' &&
    shown(bundle).some(({ entry }) => {
      if (entry.kind !== 'message' || entry.origin !== 'user_input' || entry.message.role !== 'user') return false;
      return entry.message.content.some((part) => part.type !== 'text' || part.text.trim() !== '');
    })
  );
}

/** Text of the model that a reader sees as its answer. */
export function hasReply(bundle: Bundle): boolean {
  return (
    bundle.kind === 'entries' &&
    shown(bundle).some(({ entry }) => {
      if (entry.kind !== 'message' || entry.message.role !== 'assistant') return false;
      return entry.message.content.some((part) => part.type === 'text' && part.text.trim() !== '');
    })
  );
}

/** A tail must not begin with the result of a call that nobody sees. */
export function startsWithResult(bundle: Bundle): boolean {
  if (bundle.kind !== 'entries') return false;
  const first = shown(bundle)[0]?.entry;
  return first?.kind === 'message' && first.message.role === 'tool';
}

/** The newest bundle with a reply of the model, where calls wait for their results: a later append belongs to it. */
export function openBatch(bundles: readonly Bundle[]): number {
  const at = bundles.findLastIndex(
    (bundle) =>
      bundle.kind === 'entries' && shown(bundle).some(({ entry }) => entry.kind === 'message' && entry.message.role === 'assistant'),
  );
  const bundle = bundles[at];
  return bundle?.kind === 'entries' && openCalls(bundle) > 0 ? at : -1;
}

function openCalls(bundle: EntriesBundle): number {
  const messages = shown(bundle).flatMap(({ entry }) => (entry.kind === 'message' ? [entry.message] : []));
  return unanswered(messages.flatMap(callsOf), messages.flatMap(resultIdsOf)).length;
}

/** A client's own summary of older turns among the first `messages` shown entries: a session that was compacted before it came here. */
export function opensWithHandoff(bundles: readonly Bundle[], messages: number): boolean {
  const first = bundles.flatMap((bundle) => (bundle.kind === 'entries' ? shown(bundle) : [])).slice(0, messages);
  return first.some(({ entry }) => entry.kind === 'message' && entry.origin === 'handoff');
}
