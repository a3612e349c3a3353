import type { Json } from '@palimpsest/contracts';
import { jsonFault } from './convert/json-fault.ts';
import { dotted, type Path } from './dotted-path.ts';
import type { Fault } from './faults.ts';
import { nearestNode } from './located.ts';
import { readValue } from './read-yaml.ts';

/** A JSON text whose values have places: for files that a configuration names. */
export interface JsonText {
  /** Undefined where `fault` says why the text cannot be read. */
  readonly value: Json | undefined;
  readonly fault: Fault | null;
  /** At the value, or at the nearest thing above it that is there. */
  faultAt(path: Path, problem: string, near?: string | null): Fault;
}

/** Pure, and never throws. */
export function readJson(text: string, file: string): JsonText {
  const body = text.replace(/^\uFEFF/u, '');
  const start = { file, line: 1, column: 1 };
  const faultAt = (path: Path, problem: string, near: string | null = null): Fault => {
    // Read a second time, by the reader that knows places, and only where something is wrong. What is too large for it has its place in the file.
    const { root } = readValue(body, { origin: 'explicit', file, folder: '' });
    return { at: nearestNode(root, path).at ?? start, path: dotted(path), problem, near };
  };
  try {
    return { value: JSON.parse(body) as Json, fault: null, faultAt };
  } catch {
    return { value: undefined, fault: jsonFault(body, file) ?? { at: start, path: '', problem: 'this is no JSON', near: null }, faultAt };
  }
}
