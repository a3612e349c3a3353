import { isTestPath, sourceOf } from './source.ts';
import type { Source } from './source.ts';
import { LAYERS } from './policy.ts';
import type { Layer } from './policy.ts';

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly publishConfig?: { readonly access?: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly nx?: { readonly tags?: readonly string[] };
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
}

/** One workspace package. */
export interface Unit {
  /** `packages/budget` */
  readonly folder: string;
  readonly name: string;
  /** Null when its manifest names no known layer. */
  readonly layer: Layer | null;
  readonly manifest: Manifest;
  /** The paths its tsconfig refers to, as repository folders; null without a tsconfig. */
  readonly references: readonly string[] | null;
  readonly sources: readonly Source[];
}

export interface Workspace {
  /** Every file that was read, by its path. */
  readonly files: ReadonlyMap<string, string>;
  readonly units: readonly Unit[];
  /** What the root tsconfig builds. */
  readonly references: readonly string[];
}

const MANIFEST = /^((?:packages|apps|tools)\/[^/]+)\/package\.json$/;

/** The workspace as it stands in a set of files: nothing is read from disk here. */
export function workspaceOf(files: ReadonlyMap<string, string>): Workspace {
  const folders = [...files.keys()].flatMap((path) => MANIFEST.exec(path)?.[1] ?? []);
  return { files, units: folders.map((folder) => unitOf(files, folder)), references: referencesOf(files, '') ?? [] };
}

function unitOf(files: ReadonlyMap<string, string>, folder: string): Unit {
  const manifest = JSON.parse(files.get(`${folder}/package.json`) ?? '{}') as Manifest;
  const tag = manifest.nx?.tags?.find((each) => each.startsWith('layer:'))?.slice('layer:'.length);
  const paths = [...files.keys()].filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.ts')).sort();
  return {
    folder,
    name: manifest.name ?? '',
    layer: LAYERS.find((layer) => layer === tag) ?? null,
    manifest,
    references: referencesOf(files, folder),
    sources: paths.map((path) => sourceOf(path, files.get(path) ?? '')),
  };
}

function referencesOf(files: ReadonlyMap<string, string>, folder: string): readonly string[] | null {
  const text = files.get(folder === '' ? 'tsconfig.json' : `${folder}/tsconfig.json`);
  if (text === undefined) return null;
  const { references = [] } = JSON.parse(text) as { references?: readonly { path: string }[] };
  return references.map(({ path }) => joined(folder, path));
}

/** Joins with forward slashes; `..` past the root stays in front. */
export function joined(folder: string, relative: string): string {
  const steps: string[] = [];
  for (const step of [...folder.split('/'), ...relative.split('/')]) {
    if (step === '' || step === '.') continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else steps.push(step);
  }
  return steps.join('/');
}

/** The folder a path stands in. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Sources that are built and shipped. */
export const shipped = (unit: Unit): readonly Source[] => unit.sources.filter(({ path }) => !isTestPath(path));
