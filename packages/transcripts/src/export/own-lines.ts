/** Our own export, version 1, as lines: what stands in each, in which order of keys. Equal sessions give equal bytes. */
import { body } from '@palimpsest/contracts';
import type { Artifact, Entry, SessionRecord } from '@palimpsest/contracts';

export const OWN_TYPE = 'palimpsest-session';
export const OWN_VERSION = 1;

/** What the header says of a session; `entries` lets a reader tell a file that ends early. */
export type OwnHeader = Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created' | 'leaf' | 'entries'> & { readonly log: number };

export const headerLine = ({ id, name, parent, created, leaf, format, entries }: SessionRecord): string =>
  line({
    type: OWN_TYPE,
    format: OWN_VERSION,
    session: { id, name, parent: parent === null ? null : { session: parent.session, entry: parent.entry }, created },
    log: format,
    leaf,
    entries,
  });

export const artifactLine = ({ id, kind, session, body: text, source, madeBy, tokens }: Artifact): string =>
  line({
    type: 'artifact',
    id,
    kind,
    session,
    source: source === null ? null : { firstSeq: source.firstSeq, lastSeq: source.lastSeq },
    madeBy,
    tokens,
    body: text,
  });

const ENVELOPE = ['id', 'parent', 'session', 'seq', 'depth', 'time', 'turn', 'tokens', 'kind'];
/** By kind, the order of a body's keys: that of its schema, whatever order a store hands them out in. */
const bodyKeys: ReadonlyMap<string, readonly string[]> = new Map(
  body.options.map((option): [string, readonly string[]] => {
    const { shape } = option.unwrap();
    return [shape.kind.value, Object.keys(shape)];
  }),
);

export function entryLine(entry: Entry): string {
  const known = [...ENVELOPE, ...(bodyKeys.get(entry.kind) ?? [])];
  const values: Record<string, unknown> = { ...entry };
  const keys = [...new Set([...known.filter((key) => Object.hasOwn(values, key)), ...Object.keys(values)])];
  return line(Object.fromEntries(keys.map((key) => [key, values[key]])));
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
