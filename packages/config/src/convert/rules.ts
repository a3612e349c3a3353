import type { Json } from '@palimpsest/contracts';
import type { Path } from '../dotted-path.ts';
import { isMap, nodeAt, type Located } from '../located.ts';
import type { Proposal, Rule } from './conversion.ts';
import { writtenBoolean, writtenNumber } from './written-value.ts';

/** Reads one value; null: it is not of this kind. */
export interface Kind {
  readonly read: (node: Located) => Json;
  readonly expected: string;
}
export const truth: Kind = { read: writtenBoolean, expected: 'expected true or false' };
export const number: Kind = { read: writtenNumber, expected: 'expected a number' };
export const wholeFrom = (least: number): Kind => ({
  read: (node) => {
    const value = writtenNumber(node);
    return value !== null && Number.isSafeInteger(value) && value >= least ? value : null;
  },
  expected: `expected a whole number of at least ${String(least)}`,
});
export const oneOf = (...words: readonly string[]): Kind => ({
  read: (node) => (node.kind === 'scalar' && typeof node.value === 'string' && words.includes(node.value) ? node.value : null),
  expected: `only ${words.join(' and ')} can be taken over`,
});

/** One key of theirs is one key of ours. */
export function same(from: Path, to: Path, kind: Kind): Rule {
  return (root) => {
    const node = nodeAt(root, from);
    return node === null ? [] : [proposed(node, from, to, kind)];
  };
}

/** The same for every entry of a mapping. */
export function entries(from: Path, to: Path, kind: Kind): Rule {
  return (root) => {
    const map = nodeAt(root, from);
    return isMap(map) ? [...map.entries].map(([key, node]) => proposed(node, [...from, key], [...to, key], kind)) : [];
  };
}

function proposed(node: Located, from: Path, to: Path, { read, expected }: Kind): Proposal {
  const value = read(node);
  return value === null ? { path: from, why: expected } : { group: [{ from, to, value }] };
}
