import { deepFrozen, type EngineDefinition } from '@palimpsest/contracts';
import { engineOptions, type EngineOptions } from './engine-options.ts';
import { dotted, type Path } from './dotted-path.ts';
import { explain, explainBelow, explainOne, type Explained } from './explain.ts';
import type { Fault } from './faults.ts';
import { nearestNode, nodeAt, type Located } from './located.ts';
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
  /** What a host finds wrong with a value: at the value, or at the nearest thing above it that is written. */
  faultAt(path: Path, problem: string, near?: string | null): Fault;
  /** Every effective value, or those at and below a path. @throws USAGE_INVALID for a path that there is not. */
  explain(path?: string): readonly Explained[];
}

export function configOf(
  document: ConfigDocument,
  root: Located,
  known: { readonly files: readonly string[]; readonly engines: readonly EngineDefinition[] },
): Config {
  const builtIn = known.engines.find(({ manifest }) => manifest.name === 'compressor')?.manifest.options ?? null;
  return Object.freeze({
    ...deepFrozen(sectionsOf(document, root)),
    context: Object.freeze({
      engine: document.context.engine,
      onEngineFailure: document.context.on_engine_failure,
      engineOptions: (name: string): EngineOptions => engineOptions(root, name),
    }),
    files: deepFrozen([...known.files]),
    origins: (path: string): Explained | null => explainOne(document, root, builtIn, path),
    faultAt: (path: Path, problem: string, near: string | null = null): Fault => faultNear(root, path, problem, near),
    explain: (path?: string): readonly Explained[] => {
      const rows = explain(document, root, builtIn);
      return path === undefined ? rows : explainBelow(rows, path);
    },
  });
}

function faultNear(root: Located, path: Path, problem: string, near: string | null): Fault {
  const here = nodeAt(root, path);
  return { at: here === null ? nearestNode(root, path).keyAt : here.at, path: dotted(path), problem, near };
}
