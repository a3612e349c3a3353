import type { EngineDefinition } from '@palimpsest/contracts';
import { engineOptions, type EngineOptions } from './engine-options.ts';
import { explain, explainOne, type Explained } from './explain.ts';
import { freeze } from './freeze.ts';
import type { Located } from './located.ts';
import type { ConfigDocument } from './schema.ts';
import { sectionsOf, type Sections } from './settings.ts';

/** The effective configuration, frozen. */
export interface Config extends Sections {
  readonly context: {
    readonly engine: string;
    readonly onEngineFailure: 'fallback' | 'fail';
    engineOptions(name: string): EngineOptions;
  };
  /** The files that were read, lowest layer first. */
  readonly files: readonly string[];
  /** Where the value at a dotted path came from, or a whole section; null: there is no such path. */
  origins(path: string): Explained | null;
  /** Every effective value. */
  explain(): readonly Explained[];
}

export function configOf(
  document: ConfigDocument,
  root: Located,
  known: { readonly files: readonly string[]; readonly engines: readonly EngineDefinition[] },
): Config {
  const builtIn = known.engines.find(({ manifest }) => manifest.name === 'compressor')?.manifest.options ?? null;
  return Object.freeze({
    ...freeze(sectionsOf(document, root)),
    context: Object.freeze({
      engine: document.context.engine,
      onEngineFailure: document.context.on_engine_failure,
      engineOptions: (name: string): EngineOptions => engineOptions(root, name),
    }),
    files: freeze([...known.files]),
    origins: (path: string): Explained | null => explainOne(document, root, builtIn, path),
    explain: (): readonly Explained[] => explain(document, root, builtIn),
  });
}
