import type { Entry, EntryId, SessionRecord } from '@palimpsest/contracts';
import { entriesInOrder, recordOf, type StoreAccess } from './access.ts';
import { lineOf } from './list.ts';

/** A stretch of the tree in which every entry has one successor. */
export interface TreeBranch {
  /** Position in the list of branches of the one it grows from; null: a root. */
  readonly parent: number | null;
  /** Forks between the root and here. */
  readonly depth: number;
  readonly from: EntryId;
  readonly through: EntryId;
  readonly entries: number;
  /** It lies on the path of the leaf, and holds the leaf itself. */
  readonly isCurrent: boolean;
  readonly hasLeaf: boolean;
  /** What was asked first in it; else what its first entry says. */
  readonly opening: string;
  readonly marks: readonly TreeMark[];
}
/** `undone`: somewhere behind it an undo lifts it. */
export type TreeMark =
  | { readonly kind: 'compaction'; readonly entry: EntryId; readonly text: string; readonly undone: boolean }
  | { readonly kind: 'label'; readonly entry: EntryId; readonly text: string };
export interface SessionTree {
  readonly record: SessionRecord;
  /** Each branch before those that grow from it, older ones first. */
  readonly branches: readonly TreeBranch[];
}

interface Node {
  readonly id: EntryId;
  readonly parent: EntryId | null;
  readonly line: string;
  readonly isAsked: boolean;
  readonly isCompaction: boolean;
  readonly children: Node[];
}

/** The shape of a session. One short line of each entry is held. @throws LOG_SESSION_UNKNOWN. */
export async function treeOf(access: StoreAccess, name: string): Promise<SessionTree> {
  const record = await recordOf(access, name);
  const planted = new Planted();
  for await (const entry of entriesInOrder(access.store.log, record.id)) planted.add(entry);
  return { record, branches: planted.branches(record.leaf) };
}

/** Entries of one session, given in the order of `seq`. */
export class Planted {
  readonly #nodes = new Map<EntryId, Node>();
  readonly #roots: Node[] = [];
  readonly #labels = new Map<EntryId, string | null>();
  readonly #lifted = new Set<EntryId>();

  add(entry: Entry): void {
    const isAsked = entry.kind === 'message' && entry.origin === 'user_input' && entry.hidden !== true;
    const isCompaction = entry.kind === 'compaction' && entry.hidden !== true;
    const node: Node = { id: entry.id, parent: entry.parent, line: lineOf(entry), isAsked, isCompaction, children: [] };
    const parent = entry.parent === null ? undefined : this.#nodes.get(entry.parent);
    (parent?.children ?? this.#roots).push(node);
    this.#nodes.set(entry.id, node);
    if (entry.kind === 'label') this.#labels.set(entry.target, entry.label);
    if (entry.kind === 'undo') this.#lifted.add(entry.lifts);
  }

  branches(leaf: EntryId | null): readonly TreeBranch[] {
    const current = this.#pathTo(leaf);
    const found: TreeBranch[] = [];
    const open = this.#roots.map((first) => ({ first, parent: null as number | null, depth: 0 })).reverse();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { parent, depth } = next;
      const stretch = stretchFrom(next.first);
      const last = stretch.at(-1) ?? next.first;
      const index =
        found.push({
          parent,
          depth,
          from: next.first.id,
          through: last.id,
          entries: stretch.length,
          isCurrent: current.has(next.first.id),
          hasLeaf: stretch.some(({ id }) => id === leaf),
          opening: (stretch.find(({ isAsked }) => isAsked) ?? next.first).line,
          marks: stretch.flatMap((node) => this.#marksOf(node)),
        }) - 1;
      open.push(...last.children.map((first) => ({ first, parent: index, depth: depth + 1 })).reverse());
    }
    return found;
  }

  #pathTo(leaf: EntryId | null): ReadonlySet<EntryId> {
    const path = new Set<EntryId>();
    for (let at = leaf; at !== null; at = this.#nodes.get(at)?.parent ?? null) path.add(at);
    return path;
  }

  #marksOf({ id, isCompaction, line }: Node): readonly TreeMark[] {
    const label = this.#labels.get(id) ?? null;
    return [
      ...(isCompaction ? [{ kind: 'compaction' as const, entry: id, text: line, undone: this.#lifted.has(id) }] : []),
      ...(label === null ? [] : [{ kind: 'label' as const, entry: id, text: label }]),
    ];
  }
}

function stretchFrom(first: Node): readonly Node[] {
  const stretch = [first];
  for (let at = first; at.children.length === 1;) {
    const [next] = at.children;
    if (next === undefined) break;
    stretch.push(next);
    at = next;
  }
  return stretch;
}
