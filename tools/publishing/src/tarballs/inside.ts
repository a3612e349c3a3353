import { filesOf, type Manifest } from '../packages.ts';
import type { Tarball } from './pack.ts';

const ALWAYS = ['LICENSE', 'README.md', 'package.json'];
/** Of the workshop, not of the product. */
const NEVER = /\.(?:test|test-d|test-support)\.|(?:^|\/)test\/|\.tsbuildinfo$/u;

/** What is wrong with the contents of one tarball. `all` are the manifests of everything that is published. Pure. */
export function faultsInside({ manifest, paths }: Pick<Tarball, 'manifest' | 'paths'>, all: readonly Manifest[]): readonly string[] {
  const targets = [...Object.values(manifest.exports ?? {}), manifest.bin ?? {}].flatMap(filesOf).map((path) => path.replace(/^\.\//u, ''));
  return [
    ...[...ALWAYS, ...targets].filter((path) => !paths.includes(path)).map((path) => `${path} is not in it`),
    ...paths.filter((path) => NEVER.test(path)).map((path) => `${path} does not belong in it`),
    ...faultsOfDependencies(manifest, all),
  ];
}

/** What it installs of ours has to be there, and of the same release. */
function faultsOfDependencies(manifest: Manifest, all: readonly Manifest[]): readonly string[] {
  const ours = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([name]) =>
    name.startsWith('@palimpsest/'),
  );
  return ours.flatMap(([name, range]) => {
    const published = all.find((each) => each.name === name);
    if (published === undefined) return [`it needs ${name}, which is not published`];
    return range === published.version ? [] : [`it needs ${name} ${range}, and that is ${published.version}`];
  });
}
