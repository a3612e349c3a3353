/**
 * The rules as data. `contracts` at the bottom, composition at the top, nobody sideways: a package may import the packages
 * that its layer's row names, and no others.
 */
export type Layer = 'contracts' | 'base' | 'feature' | 'engine' | 'kernel' | 'runtime' | 'app' | 'tool';

export const LAYERS: readonly Layer[] = ['contracts', 'base', 'feature', 'engine', 'kernel', 'runtime', 'app', 'tool'];

/** An entry is a layer, or the folder of one package. */
export const MAY_IMPORT: Readonly<Record<Layer, readonly string[]>> = {
  contracts: [],
  base: ['contracts'],
  feature: ['contracts', 'packages/wiring'],
  engine: ['contracts', 'packages/plugin-kit'],
  kernel: ['contracts', 'packages/wiring'],
  runtime: ['contracts', 'base', 'feature', 'engine', 'kernel'],
  app: ['contracts', 'packages/plugin-kit', 'runtime'],
  tool: ['contracts', 'base', 'feature', 'engine', 'kernel', 'runtime'],
};

/** What single packages may import beyond their layer's row. */
export const EXTRA: Readonly<Record<string, readonly string[]>> = {
  'packages/conformance': ['packages/runtime', 'packages/testing'],
};

/** Test files may import these as well, declared as devDependencies. */
export const FOR_TESTS: readonly string[] = ['packages/testing', 'packages/conformance'];

/** Never part of what is shipped: only tests, tools and the kit import them. */
export const ONLY_TESTS: readonly string[] = ['packages/testing'];

/** External packages that one place wraps. `plugins` reads engine manifests, which are YAML that is known before any configuration. */
export const SOLE_IMPORTERS: readonly { readonly external: RegExp; readonly importers: readonly string[] }[] = [
  { external: /^(tsyringe|reflect-metadata)$/, importers: ['packages/wiring'] },
  { external: /^yaml$/, importers: ['packages/config', 'packages/plugins'] },
  { external: /^better-sqlite3$/, importers: ['packages/store', 'tools/bench'] },
  { external: /^gpt-tokenizer$/, importers: ['packages/budget'] },
  { external: /^@ai-sdk\//, importers: ['packages/models'] },
];

/** What the files that `tools/quick-start` makes for a package import, and none of its sources does. */
export const BUNDLED: Readonly<Record<string, readonly string[]>> = { 'apps/cli': ['better-sqlite3', 'yaml', 'zod'] };

/** Root devDependencies that any test and any tool may import. */
export const WORKBENCH: readonly string[] = ['vitest', 'fast-check', 'typescript', 'eslint', 'vite', '@eslint/js', 'typescript-eslint'];

/**
 * Where real time, chance and the process's environment come in. Everything else is given a `Clock`, `Ids` or settings.
 * `yield` measures nothing: long work in a thread or in front of one lets the event loop turn, and only these files do.
 */
export const ADAPTERS: Readonly<Record<'time' | 'yield' | 'chance' | 'environment' | 'console', readonly RegExp[]>> = {
  yield: [
    /^packages\/budget\/src\/exact-counter\.ts$/,
    /^packages\/store\/src\/(sqlite-log|worker\/worker)\.ts$/,
    /^packages\/runtime\/src\/adapters\//,
    /^packages\/testing\/src\/manual-clock\.ts$/,
    /^(apps|tools)\//,
  ],
  time: [
    /^packages\/runtime\/src\/adapters\//,
    /^packages\/conformance\/src\/(foreign-)?time\.ts$/,
    /^packages\/testing\/src\/hostile\//,
    /^(apps|tools)\//,
  ],
  chance: [/^packages\/runtime\/src\/adapters\//, /^packages\/testing\/src\/hostile\//, /^tools\//],
  environment: [/^packages\/runtime\/src\/adapters\//, /^(apps|tools)\//],
  console: [/^(apps|tools)\//],
};

/** Words that say nothing about what is inside. */
export const EMPTY_NAMES: readonly string[] = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'core'];

/** `usual` is printed as a remark, `most` is the stop. Lines, methods, parameters or fields. */
export const SIZES = {
  file: { usual: 80, most: 400 },
  function: { usual: 10, most: 60 },
  class: { usual: 100, most: 250 },
  publicMethods: { usual: 8, most: 12 },
  injected: { usual: 2, most: 6 },
  options: { usual: 4, most: 8 },
  index: { usual: 40, most: 40 },
} as const;

/** The turn stays on one screen. */
export const ONE_SCREEN = { file: 'packages/kernel/src/turn.ts', lines: 90, width: 120 } as const;

/** Default exports are read by their loaders: configuration files, and the main of a plugin folder. */
export const MAY_DEFAULT_EXPORT: readonly RegExp[] = [
  /\.config\.[cm]?[jt]s$/,
  /(^|\/)plugins\/context_engine\//,
  /^packages\/engine-[a-z-]+\/src\/plugin\.ts$/,
  /^apps\/example-engine\/src\/engine\.ts$/,
];
