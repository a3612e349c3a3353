import type { Json } from '@palimpsest/contracts';
import { checked, withEmptySections } from './check.ts';
import type { Fault } from './faults.ts';
import { readDocument } from './read-document.ts';

/** What the schema has against a document before the environment is known; nothing has a place. */
export function documentFaults(document: { readonly [key: string]: Json }): readonly Fault[] {
  const { root, faults } = readDocument(withReferencesFilled(document) as object, { origin: 'explicit', file: null, folder: '' });
  const result = checked(withEmptySections(root));
  return [...faults, ...('faults' in result ? result.faults : [])];
}

/** A reference to the environment may turn out as anything; this is valid wherever a reference makes sense. */
const FILLED = 'https://filled-in.invalid';

function withReferencesFilled(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(/(?<!\$)\$\{env:\w+\}/gu, FILLED);
  if (Array.isArray(value)) return value.map(withReferencesFilled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferencesFilled(item)]));
}
