import type { Package } from '../packages.ts';

/** One way into a package. */
export interface Entry {
  /** As it is imported: `@palimpsest/runtime/sessions`. */
  readonly specifier: string;
  /** Relative to the root. */
  readonly folder: string;
  /** Its declarations, relative to the root. */
  readonly types: string;
}

/** The entries that have types, in the order of the manifest. */
export function entriesOf({ folder, manifest }: Package): readonly Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const types = typeof target === 'string' ? undefined : target['types'];
    return typeof types === 'string' ? [{ specifier: manifest.name + path.slice(1), folder, types: `${folder}/${types.slice(2)}` }] : [];
  });
}
