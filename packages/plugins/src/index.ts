export { BUILT_IN_NAME, EngineRegistry } from './engine-registry.ts';
export { resolveEngine } from './resolve-engine.ts';
export type { Provided } from './plugin-modules.ts';
export { registerPackages } from './register-packages.ts';
