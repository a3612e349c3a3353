import { join } from 'node:path';
import type { EngineDefinition } from '@palimpsest/contracts';
import { compressor } from '@palimpsest/engine-compressor';
import { lcm as lcmModule } from '@palimpsest/engine-lcm';
import {
  bundledEngine,
  EngineRegistry,
  resolveEngine,
  TrustedFolders,
  type Provided,
  type ResolvedEngine,
  type TrustPolicy,
} from '@palimpsest/plugins';
import type { Surroundings } from './adapters/surroundings.ts';

/** Answers where no other engine can. Its manifest is read and checked like a stranger's. */
export const builtIn: EngineDefinition = bundledEngine(import.meta.resolve('@palimpsest/engine-compressor/plugin.yaml'), compressor);
const lcm: EngineDefinition = bundledEngine(import.meta.resolve('@palimpsest/engine-lcm/plugin.yaml'), lcmModule);
/** Engines whose options are known without anybody having registered anything. */
export const ownEngines: readonly EngineDefinition[] = [builtIn, lcm];

/** What plugins may import without bringing it along. */
export const provided: Provided = Object.fromEntries(
  ['@palimpsest/plugin-kit', '@palimpsest/contracts', 'zod'].map((name) => [name, import.meta.resolve(name)]),
);

/** A registry with the engines that come along, besides the built-in one. */
export function ownRegistry(): EngineRegistry {
  const registry = new EngineRegistry();
  registry.register(lcm);
  return registry;
}

/** What a person trusts, in the user's folder. */
export function trustedFolders({ userDir }: Pick<Surroundings, 'userDir'>): TrustedFolders {
  return new TrustedFolders(join(userDir, 'trusted-plugins.json'));
}

export interface EngineLookup {
  readonly around: Surroundings;
  readonly registry: EngineRegistry;
  readonly onFailure: 'fallback' | 'fail';
  readonly trust?: TrustPolicy;
}

/** Where an engine comes from. No plugin code runs. @throws ENGINE_UNKNOWN under `fail`. */
export function lookUpEngine(name: string, { around, registry, onFailure, trust }: EngineLookup): Promise<ResolvedEngine> {
  return resolveEngine({ name, ...around, registry, builtIn, onFailure, provided, trust: trust ?? trustedFolders(around).policy });
}
