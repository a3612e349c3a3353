import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where a runtime stands: the only reader of the process's folder and environment in the packages. */
export interface Surroundings {
  readonly projectDir: string;
  /** `PALIMPSEST_HOME`, else `.palimpsest` in the home folder: user configuration, plugins, the default store. */
  readonly userDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `process.version`. */
  readonly nodeVersion: string;
}

export function surroundings(projectDir?: string): Surroundings {
  const home = process.env['PALIMPSEST_HOME'];
  return {
    projectDir: resolve(projectDir ?? process.cwd()),
    userDir: home === undefined || home === '' ? join(homedir(), '.palimpsest') : resolve(home),
    env: process.env,
    nodeVersion: process.version,
  };
}

/** `store.path`, or the user's own file. */
export function storeFileOf(path: string | null, { userDir }: Pick<Surroundings, 'userDir'>): string {
  return path ?? join(userDir, 'palimpsest.db');
}
