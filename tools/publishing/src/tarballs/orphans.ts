import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What the build puts together out of built files (tools/quick-start). */
const TOGETHER = /\/dist\/(?:few\/|quick)[^/]*\.js$/u;

/**
 * Built files whose source is gone: the compiler leaves them lying, and a package would ship them. `dist` holds what `src` is compiled to, the
 * few files that are put together out of it, and nothing else. Gives the paths that it took away, relative to the root.
 */
export function pruneOrphans(root: string, folder: string): readonly string[] {
  const built = globSync(`${folder}/dist/**/*.{js,d.ts}`, { cwd: root });
  const orphans = built
    .filter((path) => !TOGETHER.test(path) && !existsSync(join(root, sourceOf(path))))
    .flatMap((path) => [path, `${path}.map`].filter((each) => existsSync(join(root, each))));
  for (const path of orphans) rmSync(join(root, path), { force: true });
  return orphans;
}

const sourceOf = (built: string): string => built.replace('/dist/', '/src/').replace(/(?:\.d\.ts|\.js)$/u, '.ts');
