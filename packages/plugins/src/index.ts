export { BUILT_IN_NAME, EngineRegistry } from './engine-registry.ts';
export { resolveEngine } from './resolve-engine.ts';
export type { ResolvedEngine, TrustPolicy } from './resolve-engine.ts';
export { TrustedFolders } from './trust/trusted-folders.ts';
export type { Provided } from './plugin-modules.ts';
export { bundledEngine } from './bundled-engine.ts';
export { registerPackages } from './register-packages.ts';
