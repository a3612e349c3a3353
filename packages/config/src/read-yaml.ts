import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import { messageOf } from '@palimpsest/contracts/plain';
import { dotted, type Path } from './dotted-path.ts';
import type { Fault } from './faults.ts';
import type { Located, Position, Source } from './located.ts';

/** Aliases can make a small file expand without end; no real configuration comes near these. */
const MOST_VALUES = 20_000;
const MOST_LEVELS = 64;

export interface Reading {
  readonly root: Located;
  readonly faults: readonly Fault[];
}

/** Parses one YAML text. Pure, and never throws: what is wrong is in `faults`, and then `root` is only what could be read. */
export function readYaml(text: string, source: Source & { readonly file: string }): Reading {
  return reading(text, source, (walk, document) => walk.root(document));
}

/** The same of a text that may hold any value, not only a mapping. */
export function readValue(text: string, source: Source & { readonly file: string }): Reading {
  return reading(text, source, (walk, document) => walk.any(document));
}

function reading(
  text: string,
  source: Source & { readonly file: string },
  rootOf: (walk: YamlWalk, document: Document) => Located,
): Reading {
  const counter = new LineCounter();
  const walk = new YamlWalk(source, counter);
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, merge: true, version: '1.2' });
    walk.note(document);
    return { root: rootOf(walk, document), faults: walk.faults };
  } catch (thrown) {
    // The parser recurses; a file nested thousands of levels deep ends its stack.
    walk.fault(null, [], `cannot be parsed: ${messageOf(thrown)}`);
    return { root: walk.empty(), faults: walk.faults };
  }
}

type Anchored = Node | null | undefined;
type Where = Pick<Located, 'at' | 'keyAt' | 'path' | 'source'>;

/** Turns the parser's nodes into located values: resolves aliases and merge keys, refuses what is not JSON. */
class YamlWalk {
  readonly faults: Fault[] = [];
  readonly #source: Source & { readonly file: string };
  readonly #counter: LineCounter;
  readonly #anchors = new Map<string, Node>();
  #values = 0;
  #insideAlias = 0;

  constructor(source: Source & { readonly file: string }, counter: LineCounter) {
    this.#source = source;
    this.#counter = counter;
  }

  /** The parser's own findings. A repeated key leaves the rest readable; a broken syntax does not. */
  note(document: Document): void {
    for (const found of [...document.errors, ...document.warnings]) {
      const problem = found.code === 'DUPLICATE_KEY' ? 'this key is written twice' : found.message;
      this.faults.push({ at: this.#position(found.pos[0]), path: '', problem, near: null });
    }
  }

  root(document: Document): Located {
    const broken = document.errors.some((error) => error.code !== 'DUPLICATE_KEY');
    const content: unknown = document.contents;
    if (broken || content === null || (isScalar(content) && content.value === null)) return this.empty();
    const root = this.#value(content as Node, [], null);
    if (root.kind === 'map') return root;
    this.fault(root.at, [], 'the document has to be a mapping of sections');
    return this.empty();
  }

  any(document: Document): Located {
    return this.#value(document.contents, [], null);
  }

  empty(): Located {
    return { kind: 'map', entries: new Map(), path: [], at: this.#position(0), keyAt: this.#position(0), source: this.#source };
  }

  fault(at: Position | null, path: Path, problem: string): void {
    this.faults.push({ at: at ?? this.#position(0), path: dotted(path), problem, near: null });
  }

  #value(node: Anchored, path: Path, keyAt: Position | null): Located {
    const at = node?.range ? this.#position(node.range[0]) : keyAt;
    const where: Where = { at, keyAt: keyAt ?? at, path, source: this.#source };
    if (!this.#affordable(where)) return nothing(where);
    if (isAlias(node)) return this.#alias(node.source, where);
    if (node !== null && node !== undefined && this.#insideAlias === 0 && 'anchor' in node && typeof node.anchor === 'string')
      this.#anchors.set(node.anchor, node);
    if (isMap(node)) return { ...where, kind: 'map', entries: this.#entries(node, path) };
    if (isSeq(node))
      return { ...where, kind: 'list', items: node.items.map((item, index) => this.#value(item as Anchored, [...path, index], null)) };
    return this.#scalar(isScalar(node) ? node.value : null, where);
  }

  #affordable(where: Where): boolean {
    this.#values += 1;
    if (this.#values > MOST_VALUES) {
      if (this.#values === MOST_VALUES + 1)
        this.fault(where.at, where.path, `the file holds, or its aliases expand to, more than ${String(MOST_VALUES)} values`);
      return false;
    }
    if (where.path.length <= MOST_LEVELS) return true;
    this.fault(where.at, where.path.slice(0, 3), `nested deeper than ${String(MOST_LEVELS)} levels, or an alias inside its own anchor`);
    this.#values = MOST_VALUES + 1;
    return false;
  }

  #alias(name: string, where: Where): Located {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.fault(where.at, where.path, `no anchor "${name}" stands before this alias`);
      return nothing(where);
    }
    this.#insideAlias += 1;
    const value = this.#value(target, where.path, null);
    this.#insideAlias -= 1;
    return { ...value, keyAt: where.keyAt };
  }

  #scalar(value: unknown, where: Where): Located {
    if (
      value === null ||
      typeof value === 'boolean' ||
      typeof value === 'string' ||
      (typeof value === 'number' && Number.isFinite(value))
    ) {
      return { ...where, kind: 'scalar', value, written: null };
    }
    this.fault(where.at, where.path, 'only text, finite numbers, true, false and null can stand here');
    return nothing(where);
  }

  #entries(map: YAMLMap, path: Path): ReadonlyMap<string, Located> {
    const entries = new Map<string, Located>();
    const merged: Located[] = [];
    for (const pair of map.items as Pair<Anchored, Anchored>[]) {
      if (isMergeKey(pair)) merged.push(...this.#mergeSources(pair.value, path));
      else this.#entry(pair, path, entries);
    }
    for (const source of merged) this.#merge(source, entries);
    return entries;
  }

  /** What is merged stands at the path it is merged into. */
  #mergeSources(value: Anchored, path: Path): readonly Located[] {
    return isSeq(value) ? value.items.map((item) => this.#value(item as Anchored, path, null)) : [this.#value(value, path, null)];
  }

  #entry(pair: Pair<Anchored, Anchored>, path: Path, entries: Map<string, Located>): void {
    const at = pair.key?.range ? this.#position(pair.key.range[0]) : null;
    const key = keyText(pair.key);
    if (key === null || key === '__proto__') {
      this.fault(at, path, key === null ? 'a key has to be a plain word' : '"__proto__" cannot be a key');
      return;
    }
    const keyPath = [...path, key];
    // The parser has reported equal keys; what is left are keys that differ only as YAML types, 1 and "1".
    const value = this.#value(pair.value, keyPath, at);
    if (entries.has(key) && !this.faults.some((fault) => fault.at?.line === at?.line && fault.at?.column === at?.column))
      this.fault(at, keyPath, 'this key is written twice');
    entries.set(key, value);
  }

  /** Keys of the mapping itself win over merged ones, earlier sources over later ones. */
  #merge(source: Located, entries: Map<string, Located>): void {
    if (source.kind !== 'map') {
      this.fault(source.at, source.path, 'only mappings can be merged with <<');
      return;
    }
    for (const [key, value] of source.entries) if (!entries.has(key)) entries.set(key, value);
  }

  #position(offset: number): Position {
    const { line, col } = this.#counter.linePos(offset);
    return { file: this.#source.file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

const nothing = (where: Where): Located => ({ ...where, kind: 'scalar', value: null, written: null });

/** Unquoted `<<` only: a quoted one is a key like any other. */
function isMergeKey({ key }: Pair<Anchored, Anchored>): boolean {
  return isScalar(key) && (typeof key.value === 'symbol' || (key.value === '<<' && (key.type === undefined || key.type === 'PLAIN')));
}

function keyText(key: Anchored): string | null {
  if (!isScalar(key)) return null;
  if (typeof key.value === 'string') return key.value;
  return typeof key.value === 'number' || typeof key.value === 'boolean' ? (key.source ?? String(key.value)) : null;
}
