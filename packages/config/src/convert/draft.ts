import type { Json } from '@palimpsest/contracts';
import { dotted, type Path } from '../dotted-path.ts';
import { documentFaults } from '../document-faults.ts';

/** One key of ours that a key of theirs sets. */
export interface Assignment {
  readonly from: Path;
  readonly to: Path;
  readonly value: Json;
}
/** A key of theirs that is not taken over. */
export interface Refusal {
  readonly path: Path;
  readonly why: string;
}

interface JsonObject {
  readonly [key: string]: Json;
}
/** A document that is valid at all times, and what became of the keys that were offered to it. */
export interface Draft {
  readonly document: JsonObject;
  readonly assignments: readonly Assignment[];
  readonly refusals: readonly Refusal[];
}

export const emptyDraft: Draft = { document: {}, assignments: [], refusals: [] };

/** The draft with all of `group` in it; where that would not be valid, with none of it and the reason. */
export function offered(draft: Draft, group: readonly Assignment[]): Draft {
  const document = group.reduce((whole, { to, value }) => withValue(whole, to, value), draft.document);
  const problem = problemOf(document);
  if (problem === null) return { ...draft, document, assignments: [...draft.assignments, ...group] };
  const from = new Map(group.map((one) => [dotted(one.from), one.from]));
  return { ...draft, refusals: [...draft.refusals, ...[...from.values()].map((path) => ({ path, why: problem }))] };
}

const withValue = (document: JsonObject, [step, ...rest]: Path, value: Json): JsonObject => {
  const key = String(step);
  const below = Object.hasOwn(document, key) ? document[key] : undefined;
  const inner = typeof below === 'object' && below !== null && !Array.isArray(below) ? below : {};
  return { ...document, [key]: rest.length === 0 ? value : withValue(inner, rest, value) };
};

/** What the schema has against the document; null: nothing. */
function problemOf(document: JsonObject): string | null {
  const [fault] = documentFaults(document);
  if (fault === undefined) return null;
  return fault.problem === 'is missing' ? `${fault.path} is missing` : fault.problem;
}
