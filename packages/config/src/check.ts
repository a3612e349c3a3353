import type { z } from 'zod';
import { dotted, type Path } from './dotted-path.ts';
import { faultAt, faultAtKey, type Fault } from './faults.ts';
import { knownKeys, ownSchema, schemaAt } from './json-schema.ts';
import { isMap, nearestNode, nodeAt, toJson, withEntries, type Located } from './located.ts';
import { movedKey } from './moved-keys.ts';
import { nearestKey } from './nearest-key.ts';
import { configSchema, type ConfigDocument } from './schema.ts';

type Issue = z.core.$ZodIssue;

/** A section or entry with nothing in it (`agent:` and a line break) is an empty mapping. */
export function withEmptySections(node: Located, path: Path = []): Located {
  if (node.kind === 'scalar' && node.value === null && schemaAt(ownSchema, path)['type'] === 'object') {
    return { ...node, kind: 'map', entries: new Map() };
  }
  if (!isMap(node)) return node;
  return withEntries(node, new Map([...node.entries].map(([key, value]) => [key, withEmptySections(value, [...path, key])])));
}

/** What is wrong in one layer by itself. Missing keys and rules between keys are left to {@link checked}: another layer may have the rest. */
export function layerFaults(root: Located): readonly Fault[] {
  const result = configSchema.safeParse(toJson(root));
  return (result.error?.issues ?? []).flatMap((issue) => (isWhole(root, issue) ? [] : faultsOf(root, issue)));
}

/** All layers together, defaults applied; or what is wrong with them. */
export function checked(root: Located): { readonly document: ConfigDocument } | { readonly faults: readonly Fault[] } {
  const result = configSchema.safeParse(toJson(root));
  return result.success ? { document: result.data } : { faults: result.error.issues.flatMap((issue) => faultsOf(root, issue)) };
}

const steps = (path: readonly PropertyKey[]): Path => path.map((step) => (typeof step === 'number' ? step : String(step)));
const isWhole = (root: Located, issue: Issue): boolean => issue.code === 'custom' || nodeAt(root, steps(issue.path)) === null;

function faultsOf(root: Located, issue: Issue): readonly Fault[] {
  const path = steps(issue.path);
  if (issue.code === 'unrecognized_keys') return issue.keys.flatMap((key) => unknownKeys(root, [...path, key], knownKeys(ownSchema, path)));
  const node = nodeAt(root, path);
  if (node === null) return [missing(root, path, issue)];
  if (issue.code === 'invalid_key') return [faultAtKey(node, issue.issues[0]?.message ?? issue.message)];
  return [faultAt(node, wording(issue, node), near(issue, node))];
}

/** A key that is not known; and what is written below it, where the table of moved keys has a place for that. */
function unknownKeys(root: Located, path: Path, known: readonly string[]): readonly Fault[] {
  return [unknownKey(root, path, known), ...movedBelow(nodeAt(root, path))];
}

function movedBelow(node: Located | null): readonly Fault[] {
  if (!isMap(node)) return [];
  return [...node.entries].flatMap(([key, value]) => {
    const moved = movedKey([...node.path, key]);
    return moved === null ? movedBelow(value) : [faultAtKey(value, moved.problem, moved.use)];
  });
}

/** A key that is not known: where it has moved to, or the known one that is nearest to it. */
export function unknownKey(root: Located, path: Path, known: readonly string[]): Fault {
  const name = String(path.at(-1));
  const node = nearestNode(root, path);
  const moved = movedKey(node.path);
  if (moved !== null) return faultAtKey(node, moved.problem, moved.use);
  const likely = known.toSorted((a, b) => fits(node, b) - fits(node, a));
  return faultAtKey(node, known.length === 0 ? 'no such key' : `no such key; known here: ${known.join(', ')}`, nearestKey(name, likely));
}

/** 1 where a key takes what is written here: of two names that are equally near, that one was meant. */
function fits(node: Located, key: string): 0 | 1 {
  const { type } = schemaAt(ownSchema, [...node.path.slice(0, -1), key]);
  return type === { map: 'object', list: 'array', scalar: 'string' }[node.kind] ? 1 : 0;
}

function missing(root: Located, path: Path, issue: Issue): Fault {
  return {
    at: nearestNode(root, path).keyAt,
    path: dotted(path),
    problem: issue.code === 'custom' ? issue.message : 'is missing',
    near: null,
  };
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
};
const kindOf = (node: Located): string => {
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'a mapping' : 'a list';
  if (node.value === null) return 'nothing';
  return typeof node.value === 'string' ? 'text' : `a ${typeof node.value}`;
};

/** Never repeats the value: it may be a secret. */
function wording(issue: Issue, node: Located): string {
  if (issue.code === 'invalid_type') return `expected ${EXPECTED[issue.expected] ?? issue.expected}, found ${kindOf(node)}`;
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small')
    return `has to be ${issue.inclusive === true ? 'at least' : 'above'} ${String(issue.minimum)}${issue.origin === 'string' ? ' character long' : ''}`;
  if (issue.code === 'too_big') return `has to be ${issue.inclusive === true ? 'at most' : 'below'} ${String(issue.maximum)}`;
  if (issue.code === 'invalid_union') return `${kindOf(node)} cannot stand here`;
  return issue.message;
}

function near(issue: Issue, node: Located): string | null {
  return issue.code === 'invalid_value' && node.kind === 'scalar' && typeof node.value === 'string'
    ? nearestKey(node.value, issue.values.map(String))
    : null;
}
