import type { EngineDefinition } from '@palimpsest/contracts';
import { checked, layerFaults, withEmptySections } from './check.ts';
import { adoptAlias } from './compression-alias.ts';
import { configOf, type Config } from './config.ts';
import { dotted, pathOf } from './dotted-path.ts';
import { withEnvironment, type Environment } from './environment.ts';
import { configError, faultAt, inOrder, type Fault } from './faults.ts';
import { optionsNode, parseOptions } from './engine-options.ts';
import { isMap, nodeAt, type Located } from './located.ts';
import { layeredOver } from './moved-models.ts';
import { nearestKey } from './nearest-key.ts';
import { readLayers, type Layers } from './read-layers.ts';
import type { Reading } from './read-yaml.ts';

export interface LoadOptions extends Layers {
  /** What the runtime knows already: options of these engines and names of providers are checked with the rest. */
  readonly known?: { readonly engines?: readonly EngineDefinition[]; readonly providers?: readonly string[] };
}

/**
 * Reads and checks every layer: user, project, explicit file, document.
 * @throws CONFIG_INVALID for the first fault; `details.others` has the rest. CONFIG_UNREADABLE when a file cannot be read.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { config, faults } = await inspectConfig(options);
  if (config === null) throw configError(faults);
  return config;
}

/** What {@link loadConfig} gives, or all that is wrong in reading order. @throws CONFIG_UNREADABLE. */
export async function inspectConfig(options: LoadOptions): Promise<{ readonly config: Config | null; readonly faults: readonly Fault[] }> {
  const layers = (await readLayers(options)).map((reading) => prepared(reading, options.env));
  const root = layers.map((layer) => layer.root).reduce(layeredOver, emptyRoot(options.projectDir));
  const result = checked(root);
  const found = [
    ...layers.flatMap((layer) => layerFaults(layer.root)),
    ...('faults' in result ? result.faults : []),
    ...knownFaults(root, options.known ?? {}),
  ];
  const spoilt = layers.flatMap((layer) => layer.faults);
  const faults = withoutMisspelt(root, withoutEchoes(spoilt, found));
  if (faults.length > 0 || 'faults' in result) return { config: null, faults: inOrder(faults) };
  const files = layers.flatMap((layer) => layer.root.source.file ?? []);
  return { config: configOf(result.document, root, { files, engines: options.known?.engines ?? [] }), faults: [] };
}

/** Environment filled in, one spelling of every key. */
function prepared(reading: Reading, env: Environment): Reading {
  const filled = withEnvironment(reading.root, env);
  const adopted = adoptAlias(withEmptySections(filled.root));
  return { root: adopted.root, faults: [...reading.faults, ...filled.faults, ...adopted.faults] };
}

/** A value that could not be read has its fault; what the schema thinks of the remains is noise. */
function withoutEchoes(first: readonly Fault[], later: readonly Fault[]): readonly Fault[] {
  const spoilt = new Set(first.map((fault) => fault.path));
  return [...first, ...later.filter((fault) => !spoilt.has(fault.path))];
}

/** A key that is missing because it is written wrongly has one fault: where it is written. */
function withoutMisspelt(root: Located, faults: readonly Fault[]): readonly Fault[] {
  const meant = new Set(
    faults.flatMap(({ path, near }) => (near === null ? [] : [near, dotted([...(pathOf(path) ?? []).slice(0, -1), near])])),
  );
  return faults.filter(({ path }) => !meant.has(path) || nodeAt(root, pathOf(path) ?? []) !== null);
}

function emptyRoot(folder: string): Located {
  return { kind: 'map', entries: new Map(), at: null, keyAt: null, path: [], source: { origin: 'explicit', file: null, folder } };
}

function knownFaults(root: Located, { engines = [], providers }: NonNullable<LoadOptions['known']>): readonly Fault[] {
  return [...(providers === undefined ? [] : providerFaults(root, providers)), ...engines.flatMap((engine) => engineFaults(root, engine))];
}

function providerFaults(root: Located, providers: readonly string[]): readonly Fault[] {
  const models = nodeAt(root, ['models']);
  return [...(isMap(models) ? models.entries.keys() : [])].flatMap((name) => {
    const node = nodeAt(root, ['models', name, 'provider']);
    if (node?.kind !== 'scalar' || typeof node.value !== 'string' || providers.includes(node.value)) return [];
    return [faultAt(node, `no such provider; known here: ${providers.join(', ')}`, nearestKey(node.value, providers))];
  });
}

/** An engine that is neither named nor given any option may want what nobody wrote: that is no fault. */
function engineFaults(root: Located, engine: EngineDefinition): readonly Fault[] {
  const { name } = engine.manifest;
  const node = optionsNode(root, name);
  const chosen = nodeAt(root, ['context', 'engine']);
  const isChosen = chosen?.kind === 'scalar' ? chosen.value === name : name === 'compressor';
  return node.entries.size > 0 || isChosen ? parseOptions(node, engine).faults : [];
}
