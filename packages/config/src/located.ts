import type { Json } from '@palimpsest/contracts';
import type { Path } from './dotted-path.ts';

/** Where something is written; line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Which layer set a value; `explicit` is a file or document that the host named. */
export type Origin = 'default' | 'user' | 'project' | 'explicit';

/** One layer's document. `file` is null for a document handed in by a host; relative paths in it start at `folder`. */
export interface Source {
  readonly origin: Exclude<Origin, 'default'>;
  readonly file: string | null;
  readonly folder: string;
}

interface Place {
  /** Of the value; null: no file. */
  readonly at: Position | null;
  /** Of the key that names it; the value's own for list items and the root. */
  readonly keyAt: Position | null;
  /** As written, aliases and all. */
  readonly path: Path;
  readonly source: Source;
}
export type Scalar = null | boolean | number | string;
/** `written` is the text before `${env:NAME}` was filled in; null: nothing was. `unset`: why it could not be; the value is the text as written. */
export type LocatedScalar = Place & {
  readonly kind: 'scalar';
  readonly value: Scalar;
  readonly written: string | null;
  readonly unset?: Unset;
};
export interface Unset {
  readonly problem: string;
  readonly near: string | null;
}
export type LocatedList = Place & { readonly kind: 'list'; readonly items: readonly Located[] };
export type LocatedMap = Place & { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Located> };
/** A parsed value that knows where it came from. */
export type Located = LocatedScalar | LocatedList | LocatedMap;

export const isMap = (node: Located | null | undefined): node is LocatedMap => node?.kind === 'map';

/** The part at `path`; null: not there. */
export function nodeAt(root: Located, path: Path): Located | null {
  let node: Located | undefined = root;
  for (const step of path) {
    if (node?.kind === 'map') node = node.entries.get(String(step));
    else if (node?.kind === 'list') node = node.items[Number(step)];
    else return null;
  }
  return node ?? null;
}

/** The part at `path`, or the nearest one above it that exists: where a missing key would have to be written. */
export function nearestNode(root: Located, path: Path): Located {
  for (let length = path.length; length > 0; length -= 1) {
    const node = nodeAt(root, path.slice(0, length));
    if (node !== null) return node;
  }
  return root;
}

/** Plain data. Keys come out as own properties whatever they are called. */
export function toJson(node: Located): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toJson);
  return Object.fromEntries([...node.entries].map(([key, value]) => [key, toJson(value)]));
}

export function withEntries(map: LocatedMap, entries: ReadonlyMap<string, Located>): LocatedMap {
  return { ...map, entries };
}

/** Maps are merged key by key; anything else of the upper layer replaces what is below. */
export function layered(lower: Located, upper: Located): Located {
  if (!isMap(lower) || !isMap(upper)) return upper;
  const entries = new Map(lower.entries);
  for (const [key, value] of upper.entries) {
    const below = entries.get(key);
    entries.set(key, below === undefined ? value : layered(below, value));
  }
  return withEntries(upper, entries);
}
