import { deepFrozen, errors, isPalimpsestError, type EngineDefinition, type EngineManifest, type Json } from '@palimpsest/contracts';
import { unknownKey } from './check.ts';
import { engineKeys, HOST_KEYS } from './compression-alias.ts';
import { dotted, pathOf, type Path } from './dotted-path.ts';
import { configError, type Fault } from './faults.ts';
import { knownKeys } from './json-schema.ts';
import { isMap, nearestNode, nodeAt, toJson, type Located, type LocatedMap, type Position } from './located.ts';

/** What the configuration says to one engine. */
export interface EngineOptions {
  /** As written, `${env:NAME}` filled in; an empty object when nothing is. */
  readonly raw: Json;
  /** Where the option at this dotted path is written; null: nowhere, or not in a file. */
  at(path: string): Position | null;
  /** Checks the options with the engine's own rules. @throws CONFIG_INVALID with the place of every fault; ENGINE_FAILED when the engine's check itself breaks. */
  parse(definition: EngineDefinition): unknown;
}

/** The options of `name` in the merged document: those of `compressor` stand under `compression`. */
export function optionsNode(root: Located, name: string): LocatedMap {
  const path = name === 'compressor' ? ['compression'] : ['context', 'engines', name];
  const found = nodeAt(root, path);
  if (!isMap(found)) return { ...nearestNode(root, path), path, kind: 'map', entries: new Map() };
  return name === 'compressor' ? engineKeys(found) : found;
}

export function engineOptions(root: Located, name: string): EngineOptions {
  const node = optionsNode(root, name);
  return Object.freeze({
    raw: deepFrozen(toJson(node)),
    at: (path: string): Position | null => nodeAt(node, pathOf(path) ?? [])?.at ?? null,
    parse: (definition: EngineDefinition): unknown => {
      const { options, faults } = parseOptions(node, definition);
      if (faults.length > 0) throw configError(faults);
      return options;
    },
  });
}

/** Runs the engine's check and puts its findings at their places in the files. */
export function parseOptions(
  node: LocatedMap,
  { manifest, parseOptions: parse }: EngineDefinition,
): { readonly options: unknown; readonly faults: readonly Fault[] } {
  const raw = deepFrozen(toJson(node));
  try {
    return { options: parse === undefined ? raw : parse(raw), faults: [] };
  } catch (thrown) {
    if (!isPalimpsestError(thrown, 'CONFIG_INVALID'))
      throw errors.engineFailed(manifest.name, 'parseOptions', 'options-are-refused-with-config-invalid', thrown);
    return { options: null, faults: found(thrown.details).map((one) => placed(node, manifest, one)) };
  }
}

interface Finding {
  readonly path: string;
  readonly problem: string;
  readonly near: string | null;
}

function found(details: { readonly [key: string]: Json }): readonly Finding[] {
  const others = Array.isArray(details['others']) ? details['others'] : [];
  return [details, ...others].flatMap((one) => (typeof one === 'object' && one !== null && !Array.isArray(one) ? [finding(one)] : []));
}

function finding(one: { readonly [key: string]: Json }): Finding {
  const text = (key: string): string | null => (typeof one[key] === 'string' ? one[key] : null);
  return { path: text('path') ?? '', problem: text('problem') ?? 'refused', near: text('near') };
}

function placed(node: LocatedMap, manifest: EngineManifest, { path, problem, near }: Finding): Fault {
  const steps = pathOf(path) ?? [];
  const known = [...keysAt(manifest, steps.slice(0, -1)), ...(steps.length === 1 && manifest.name === 'compressor' ? HOST_KEYS : [])];
  // A key that is written though the schema does not name it is a typo, whatever the engine calls it.
  if (steps.length > 0 && known.length > 0 && !known.includes(String(steps.at(-1))) && nodeAt(node, steps) !== null)
    return unknownKey(node, steps, known);
  const here = nodeAt(node, steps);
  const above = nearestNode(node, steps);
  return { at: here === null ? above.keyAt : here.at, path: dotted(here === null ? [...node.path, ...steps] : here.path), problem, near };
}

const keysAt = (manifest: EngineManifest, path: Path): readonly string[] =>
  typeof manifest.options === 'object' && manifest.options !== null && !Array.isArray(manifest.options)
    ? knownKeys(manifest.options, path)
    : [];
