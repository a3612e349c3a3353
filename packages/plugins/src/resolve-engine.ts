import { join } from 'node:path';
import {
  ENGINE_NAME,
  errors,
  messageOf,
  type EngineDefinition,
  type EngineManifest,
  type Lookup,
  type Resolution,
} from '@palimpsest/contracts';
import { BUILT_IN_NAME, type EngineRegistry } from './engine-registry.ts';
import { loadDefinition } from './load-engine.ts';
import { claimsOf } from './manifest-problem.ts';
import { inspectFolder, type PluginFolder } from './plugin-folder.ts';
import type { Provided } from './plugin-modules.ts';

/** Asked for a project's plugin before any of its code runs: true, or why it is not trusted. `folder` is its real path. */
export type TrustPolicy = (folder: string, manifest: EngineManifest) => Promise<true | string>;

export interface ResolveOptions {
  readonly name: string;
  readonly projectDir: string;
  readonly userDir: string;
  readonly registry: EngineRegistry;
  readonly builtIn: EngineDefinition;
  /** Default: no project's plugin is trusted. Plugins in the user's folder always are. */
  readonly trust?: TrustPolicy;
  /** What plugins may import without bringing it along. */
  readonly provided?: Provided;
  /** `context.on_engine_failure`. Default `fallback`. */
  readonly onFailure?: 'fallback' | 'fail';
}

export interface LoadedEngine {
  readonly definition: EngineDefinition;
  readonly resolution: Resolution;
}
/** The answer, before any code of a plugin has run. */
export interface ResolvedEngine {
  readonly resolution: Resolution;
  /** The definition, and the resolution as it stands after loading: a plugin that cannot be loaded counts as not found. @throws PLUGIN_LOAD_FAILED under `fail`. */
  load(): Promise<LoadedEngine>;
}

type Found =
  | { readonly from: 'project' | 'user'; readonly folder: PluginFolder }
  | { readonly from: 'registry' | 'built-in'; readonly definition: EngineDefinition };

/**
 * Looks for an engine: project folder, user folder, registry, built-in. The first place that has it answers; `compressor` always means
 * the built-in. Only files are read. @throws ENGINE_UNKNOWN when nobody has it, under `fail`.
 */
export async function resolveEngine(options: ResolveOptions): Promise<ResolvedEngine> {
  const { name, builtIn, onFailure = 'fallback' } = options;
  const { found, lookups } = await search(options);
  if (found !== null) return resolved(options, found, lookups);
  if (onFailure === 'fail')
    throw errors.engineUnknown(
      name,
      lookups.map(({ place, why }) => `${place} (${why})`),
    );
  const resolution = substitute(options, lookups);
  return { resolution, load: () => Promise.resolve({ definition: builtIn, resolution }) };
}

function resolved(options: ResolveOptions, found: Found, lookups: readonly Lookup[]): ResolvedEngine {
  const { manifest } = 'folder' in found ? found.folder : found.definition;
  const resolution: Resolution = Object.freeze({
    asked: options.name,
    name: options.name,
    version: manifest.version,
    resolvedFrom: found.from,
    substituted: false,
    claims: claimsOf(manifest),
    lookups,
  });
  return { resolution, load: () => load(options, found, resolution) };
}

async function load(options: ResolveOptions, found: Found, resolution: Resolution): Promise<LoadedEngine> {
  if ('definition' in found) return { definition: found.definition, resolution };
  try {
    return { definition: await loadDefinition(found.folder, options.provided), resolution };
  } catch (thrown) {
    if (options.onFailure === 'fail') throw thrown;
    const lookups = resolution.lookups.map((lookup) => (lookup.found ? { ...lookup, found: false, why: messageOf(thrown) } : lookup));
    return { definition: options.builtIn, resolution: substitute(options, lookups) };
  }
}

function substitute({ name, builtIn }: ResolveOptions, lookups: readonly Lookup[]): Resolution {
  const { manifest } = builtIn;
  return Object.freeze({
    asked: name,
    name: manifest.name,
    version: manifest.version,
    resolvedFrom: 'built-in',
    substituted: true,
    claims: claimsOf(manifest),
    lookups,
  });
}

interface Search {
  readonly found: Found | null;
  readonly lookups: readonly Lookup[];
}

async function search(options: ResolveOptions): Promise<Search> {
  const lookups: Lookup[] = [];
  for (const ask of [inProject, inUserFolder, inRegistry, inBuiltIn]) {
    const { found, ...lookup } = await ask(options);
    lookups.push({ ...lookup, found: found !== null });
    if (found !== null) return { found, lookups };
  }
  return { found: null, lookups };
}

interface Asked {
  readonly place: string;
  readonly why: string;
  readonly found: Found | null;
}

/** A name becomes a part of a path, so it is looked at first; and a folder never shadows the built-in. */
function notAFolder(name: string): string | null {
  if (name === BUILT_IN_NAME) return `"${BUILT_IN_NAME}" always means the built-in`;
  return ENGINE_NAME.test(name) ? null : 'no engine can have this name';
}

async function inProject({
  name,
  projectDir,
  trust = (): Promise<string> => Promise.resolve('not trusted'),
}: ResolveOptions): Promise<Asked> {
  const asked = await inFolder('project', projectDir, name);
  if (asked.found === null || !('folder' in asked.found)) return asked;
  const { folder, manifest } = asked.found.folder;
  try {
    const answer = await trust(folder, manifest);
    if (answer === true) return { ...asked, why: `${asked.why}, trusted` };
    return { ...asked, found: null, why: `${answer}; if you know this code, run: palimpsest engine trust ${name}` };
  } catch (thrown) {
    return { ...asked, found: null, why: `whether it is trusted could not be told: ${messageOf(thrown)}` };
  }
}

const inUserFolder = ({ name, userDir }: ResolveOptions): Promise<Asked> => inFolder('user', userDir, name);

async function inFolder(from: 'project' | 'user', root: string, name: string): Promise<Asked> {
  const parent = join(root, 'plugins', 'context_engine');
  const refusal = notAFolder(name);
  if (refusal !== null) return { place: `${from}: ${parent}`, why: refusal, found: null };
  const place = `${from}: ${join(parent, name)}`;
  const folder = await inspectFolder(join(parent, name));
  return 'absent' in folder
    ? { place, why: folder.absent, found: null }
    : { place, why: `version ${folder.manifest.version}${aliasOf(folder)}`, found: { from, folder } };
}

function aliasOf({ name, manifest }: PluginFolder): string {
  return name === manifest.name ? '' : `, an alias: its manifest is named "${manifest.name}"`;
}

function inRegistry({ name, registry }: ResolveOptions): Promise<Asked> {
  const definition = registry.get(name);
  const known = registry.names();
  const why = known.length === 0 ? 'nothing is registered' : `registered: ${known.join(', ')}`;
  return Promise.resolve(
    definition === null
      ? { place: 'registry', why, found: null }
      : { place: 'registry', why: `version ${definition.manifest.version}`, found: { from: 'registry', definition } },
  );
}

function inBuiltIn({ name, builtIn }: ResolveOptions): Promise<Asked> {
  return Promise.resolve(
    name === BUILT_IN_NAME
      ? { place: 'built-in', why: `version ${builtIn.manifest.version}`, found: { from: 'built-in', definition: builtIn } }
      : { place: 'built-in', why: `the built-in engine is named ${BUILT_IN_NAME}`, found: null },
  );
}
