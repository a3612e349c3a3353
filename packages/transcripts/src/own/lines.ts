/** One line of our own export, checked. */
import { artifactId, body, DEEPEST_AROUND, envelope, entryId, isTooDeep, json, sessionId } from '@palimpsest/contracts';
import type { Artifact, Entry } from '@palimpsest/contracts';
import { z } from 'zod';
import { OWN_TYPE, OWN_VERSION, type OwnHeader } from '../export/own-lines.ts';
import { has, type JsonObject } from '../json/values.ts';

export type OwnLine =
  | { readonly kind: 'session'; readonly header: OwnHeader }
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  | { readonly kind: 'entry'; readonly entry: Entry };
/** Why a line is none. `version`: of a header that a later version wrote. */
export type Fault = { readonly problem: string; readonly version?: number };

const headerShape = z.object({
  type: z.literal(OWN_TYPE),
  format: z.literal(OWN_VERSION),
  session: z.object({
    id: sessionId,
    name: z.string().nullable(),
    parent: z.object({ session: sessionId, entry: entryId }).nullable(),
    created: z.string(),
  }),
  log: z.number().int(),
  leaf: entryId.nullable(),
  entries: z.number().int().nonnegative(),
});
const artifactShape = z.object({
  type: z.literal('artifact'),
  id: artifactId,
  kind: z.string(),
  session: sessionId.nullable(),
  source: z.object({ firstSeq: z.number().int(), lastSeq: z.number().int() }).nullable(),
  madeBy: json,
  tokens: z.number().int().nonnegative(),
  body: z.string(),
});

export const isOwnHeader = (value: JsonObject): boolean => value['type'] === OWN_TYPE;
export const isOwnEntry = (value: JsonObject): boolean => has(value, 'kind') && has(value, 'seq') && has(value, 'session');

/** Pure. The value is handed on as it is: checking a line must not change what is written again. */
export function readOwnLine(value: JsonObject): OwnLine | Fault {
  // Before anything walks over it; how deep each value in it may be is the schemas' business.
  if (isTooDeep(value, DEEPEST_AROUND)) return { problem: 'nested too deep' };
  if (isOwnHeader(value)) return headerOf(value);
  if (value['type'] === 'artifact') return artifactOf(value);
  if (!isOwnEntry(value)) return { problem: 'no header, artifact or entry' };
  for (const shape of [envelope, body]) {
    const checked = shape.safeParse(value);
    if (!checked.success) return { problem: problemOf(checked.error) };
  }
  return { kind: 'entry', entry: value as unknown as Entry };
}

function headerOf(value: JsonObject): OwnLine | Fault {
  const format = value['format'];
  if (typeof format === 'number' && format > OWN_VERSION) return { problem: `format ${String(format)}`, version: format };
  const checked = headerShape.safeParse(value);
  if (!checked.success) return { problem: problemOf(checked.error) };
  const { session, log, leaf, entries } = checked.data;
  return { kind: 'session', header: { ...session, log, leaf, entries } };
}

function artifactOf(value: JsonObject): OwnLine | Fault {
  const checked = artifactShape.safeParse(value);
  if (!checked.success) return { problem: problemOf(checked.error) };
  const { type: _type, ...rest } = value;
  return { kind: 'artifact', artifact: rest as unknown as Artifact };
}

function problemOf({ issues }: z.core.$ZodError): string {
  const [first] = issues;
  return `${first?.path.map(String).join('.') ?? ''}: ${first?.message ?? 'not valid'}`.replace(/^: /u, '').slice(0, 200);
}
