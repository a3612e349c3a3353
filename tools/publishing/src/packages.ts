import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

type Versions = Readonly<Record<string, string>>;
/** The path of a file, or paths by condition. */
export type Target = string | { readonly [condition: string]: Target };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Target>>;
  readonly bin?: Versions;
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
}

/** A workspace package that is for others to install. */
export interface Package {
  /** Relative to the root: `packages/budget`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace that is not private, in the order of their folders. */
export function publishedPackages(root: string = ROOT): readonly Package[] {
  return ['packages', 'apps'].flatMap((top) =>
    readdirSync(`${root}/${top}`)
      .sort()
      .map((name) => packageAt(root, `${top}/${name}`))
      .filter(({ manifest }) => manifest.private !== true),
  );
}

export function packageAt(root: string, folder: string): Package {
  return { folder, manifest: JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8')) as Manifest };
}

/** The files that an entry leads to, whatever the condition. */
export function filesOf(target: Target): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf);
}
