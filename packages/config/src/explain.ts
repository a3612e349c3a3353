import { errors } from '@palimpsest/contracts/plain';
import type { Json } from '@palimpsest/contracts';
import { dotted, pathOf, type Path } from './dotted-path.ts';
import { isReference } from './environment.ts';
import { defaultsOf, knownKeys, ownSchema, schemaAt } from './json-schema.ts';
import { nodeAt, toJson, type Located, type Origin } from './located.ts';
import { nearestKey } from './nearest-key.ts';
import type { ConfigDocument } from './schema.ts';

/** One effective value and where it came from. Secrets read `***`; what the environment fills in, a secret too where nothing else is in it, reads as it was written. */
export interface Explained {
  readonly path: string;
  readonly value: Json;
  readonly origin: Origin;
  /** Null for a default, and for a document that came from the host. */
  readonly file: string | null;
  readonly line: number | null;
  /** The package that acts on it. */
  readonly owner: string;
}

const MASK = '***';
const SECRET = /^(api_?key|apikey|authorization|password|secret|token)$|_(key|password|secret|token)$/iu;

/** One row per value, sections in their fixed order. `engineDefaults` are the built-in engine's. */
export function explain(document: ConfigDocument, root: Located, engineDefaults: Json): readonly Explained[] {
  return leaves(effective(document, root, engineDefaults), []).map(([path, value]) => row(root, path, value));
}

/** The rows at and below a path; none where the key is known and nothing is set there. @throws USAGE_INVALID for a path that there is not. */
export function explainBelow(rows: readonly Explained[], text: string): readonly Explained[] {
  const path = canonical(pathOf(text));
  const found =
    path === null ? [] : rows.filter((one) => path.every((step, index) => String((pathOf(one.path) ?? [])[index]) === String(step)));
  if (path === null || (found.length === 0 && Object.keys(schemaAt(ownSchema, path)).length === 0)) throw unknownPath(rows, text);
  return found;
}

function unknownPath(rows: readonly Explained[], text: string): Error {
  const known = [...new Set([...rows.map(({ path }) => path), ...namedBelow([])])];
  const likely = nearestKey(text, known) ?? known.find((path) => path.endsWith(`.${text}`)) ?? null;
  return errors.usageInvalid(
    `There is no key "${text}".`,
    likely === null ? 'All keys: palimpsest config explain' : `Did you mean "${likely}"?`,
  );
}

/** Every path that the schema names. */
function namedBelow(path: Path): readonly string[] {
  return knownKeys(ownSchema, path).flatMap((key) => [dotted([...path, key]), ...namedBelow([...path, key])]);
}

/** The effective value at one path: a row, or a whole section under the origin of its nearest writer. Null: no such path. */
export function explainOne(document: ConfigDocument, root: Located, engineDefaults: Json, text: string): Explained | null {
  const path = canonical(pathOf(text));
  const value = path === null ? undefined : at(effective(document, root, engineDefaults), path);
  return path === null || value === undefined ? null : row(root, path, value);
}

const canonical = (path: Path | null): Path | null =>
  path !== null && path.slice(0, 3).join('/') === 'context/engines/compressor' ? ['compression', ...path.slice(3)] : path;

/** The document as it takes effect; where the built-in engine is known, with its defaults. */
function effective(document: ConfigDocument, root: Located, engineDefaults: Json): Json {
  const written = nodeAt(root, ['compression']);
  const compression = {
    ...defaultsOf(engineDefaults),
    ...(written === null ? {} : (toJson(written) as { [key: string]: Json })),
    ...document.compression,
  };
  return { ...document, compression } as Json;
}

function at(value: Json, path: Path): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as { [key: string | number]: Json })[step];
  }
  return here;
}

function leaves(value: Json, path: Path): readonly (readonly [Path, Json])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  const entries = Object.entries(value);
  if (entries.length === 0 && path.length > 1) return [[path, value]];
  return entries.flatMap(([key, item]) => leaves(item, [...path, key]));
}

function row(root: Located, path: Path, value: Json): Explained {
  const node = nodeAt(root, path);
  return {
    path: dotted(path),
    value: shown(value, node, String(path.at(-1))),
    origin: node?.source.origin ?? 'default',
    file: node?.source.file ?? null,
    line: node?.keyAt?.line ?? null,
    owner: ownerOf(path),
  };
}

function shown(value: Json, node: Located | null, key: string): Json {
  if (SECRET.test(key) && value !== null) return node?.kind === 'scalar' && isReference(node.written ?? '') ? node.written : MASK;
  if (node?.kind === 'scalar' && node.written !== null) return withoutQuery(node.written);
  if (typeof value === 'string') return withoutQuery(value);
  if (Array.isArray(value)) return value.map((item, index) => shown(item, node?.kind === 'list' ? (node.items[index] ?? null) : null, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(item, node?.kind === 'map' ? (node.entries.get(name) ?? null) : null, name)]),
  );
}

/** What stands behind the `?` of an address is often a token. */
const withoutQuery = (text: string): string => text.replace(/^([a-z]+:\/\/[^?\s]*)\?\S+$/iu, `$1?${MASK}`);

/** The nearest owner named in the schema; keys that it does not name are an engine's. */
function ownerOf(path: Path): string {
  for (let length = path.length; length > 0; length -= 1) {
    const { owner } = schemaAt(ownSchema, path.slice(0, length));
    if (typeof owner === 'string') return owner;
  }
  return path[0] === 'compression' ? 'the engine' : 'config';
}
