import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Package } from '../packages.ts';

export interface Tarball extends Package {
  /** Where it lies. */
  readonly file: string;
  /** What is in it, relative to its root. */
  readonly paths: readonly string[];
  readonly bytes: number;
}

interface Listed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** `npm pack`, once for all: what `npm publish` would send, from what is built now. @throws Error with what npm says. */
export function pack(packages: readonly Package[], to: string, root: string): readonly Tarball[] {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to, ...packages.flatMap(({ folder }) => ['-w', folder])];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const listed = JSON.parse(stdout) as readonly Listed[];
  return packages.map((each) => {
    const found = listed.find(({ name }) => name === each.manifest.name);
    if (found === undefined) throw new Error(`npm packed no ${each.manifest.name}`);
    return { ...each, file: join(to, found.filename), paths: found.files.map(({ path }) => path), bytes: found.size };
  });
}
