export { readManifest, parseManifest, MANIFEST_FILE } from './manifest.ts';
export { contractProblem } from './contract-range.ts';
export { EngineRegistry, BUILT_IN_NAME } from './engine-registry.ts';
export { resolveEngine } from './resolve-engine.ts';
export type { ResolveOptions, ResolvedEngine, LoadedEngine, TrustPolicy } from './resolve-engine.ts';
export { registerPackages } from './register-packages.ts';
export type { PackageOptions } from './register-packages.ts';
export { TrustedFolders } from './trust/trusted-folders.ts';
export { folderHash } from './trust/folder-hash.ts';
