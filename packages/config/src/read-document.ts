import { dotted, type Path } from './dotted-path.ts';
import type { Fault } from './faults.ts';
import type { Located, Source } from './located.ts';
import type { Reading } from './read-yaml.ts';

const MOST_LEVELS = 64;

/** Reads a document that a host hands in as an object. Plain data only: what JSON cannot say is a fault, but a key that is undefined counts as absent. */
export function readDocument(document: object, source: Source): Reading {
  const faults: Fault[] = [];
  const root = located(document, [], source, faults);
  if (root.kind === 'map') return { root, faults };
  faults.push({ at: null, path: '', problem: 'the document has to be a mapping of sections', near: null });
  return { root: { at: null, keyAt: null, path: [], source, kind: 'map', entries: new Map() }, faults };
}

function located(value: unknown, path: Path, source: Source, faults: Fault[]): Located {
  const where = { at: null, keyAt: null, path, source };
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) {
    return { ...where, kind: 'scalar', value, written: null };
  }
  if (path.length > MOST_LEVELS) return refused(where, `nested deeper than ${String(MOST_LEVELS)} levels, or inside itself`, faults);
  if (Array.isArray(value))
    return { ...where, kind: 'list', items: value.map((item, index) => located(item, [...path, index], source, faults)) };
  if (!isPlain(value))
    return refused(where, 'only text, finite numbers, true, false, null, lists and plain objects can stand here', faults);
  const present = Object.entries(value).filter(([key, item]) => item !== undefined && key !== '__proto__');
  return { ...where, kind: 'map', entries: new Map(present.map(([key, item]) => [key, located(item, [...path, key], source, faults)])) };
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function refused(where: Pick<Located, 'at' | 'keyAt' | 'path' | 'source'>, problem: string, faults: Fault[]): Located {
  faults.push({ at: null, path: dotted(where.path.slice(0, 8)), problem, near: null });
  return { ...where, kind: 'scalar', value: null, written: null };
}
