import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../src/packages.ts';
import type { Tarball } from '../src/tarballs/pack.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
}

const IMPATIENT = ['--fetch-retries=0', '--fetch-timeout=20000'];

/** A folder outside of the repository, as somebody else has it: a project, and a home with the user's folder. */
export class Scratch {
  readonly folder: string;
  readonly #lock: Lock;

  private constructor(folder: string, lock: Lock) {
    this.folder = folder;
    this.#lock = lock;
  }

  static async open(): Promise<Scratch> {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    return new Scratch(await mkdtemp(join(tmpdir(), 'palimpsest-installed-')), lock);
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  /**
   * `npm install` of tarballs, and of packages of others in the versions that the repository has: those lie in npm's cache, so that no
   * network is needed where it was needed once. False: what is needed is not in the cache, and no registry answers. @throws Error for
   * whatever else goes wrong.
   */
  async install(place: string, tarballs: readonly Tarball[], others: readonly string[]): Promise<boolean> {
    const ours = tarballs.map(({ manifest, file }) => [manifest.name, `file:../tarballs/${basename(file)}`] as const);
    const dependencies = Object.fromEntries([...ours, ...others.map((name) => [name, this.#versionOf(name)] as const)]);
    await this.write(join(place, 'package.json'), JSON.stringify({ name: place, private: true, type: 'module', dependencies }));
    const theirs = Object.entries(this.#lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
    const packages = Object.fromEntries(theirs.map(([path, entry]) => [path, { ...entry, dev: undefined, devOptional: undefined }]));
    await this.write(
      join(place, 'package-lock.json'),
      JSON.stringify({ name: place, lockfileVersion: 3, requires: true, packages: { '': { dependencies }, ...packages } }),
    );
    const { code, stderr } = await this.run(
      place,
      'npm',
      'install',
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...IMPATIENT,
    );
    if (code === 0) return true;
    // npm words a missing network in many ways, a conflict of versions among them.
    const asked = await this.run(place, 'npm', 'view', 'zod', 'version', '--prefer-online', ...IMPATIENT);
    if (asked.code === 0) throw new Error(`npm install failed: ${stderr}`);
    return false;
  }

  /** A command in one of the folders. Whatever else runs this test stays out of it. */
  run(place: string, command: string, ...args: readonly string[]): Promise<Ran> {
    const foreign = /^(?:VITEST|TEST|NODE_ENV|NODE_OPTIONS|npm_)/u;
    const env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
      PALIMPSEST_HOME: this.path('home'),
      NO_COLOR: '1',
    };
    return new Promise((resolve) => {
      const child = execFile(command, args, { cwd: this.path(place), env, maxBuffer: 64_000_000 }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, stdout, stderr });
      });
    });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  #versionOf(name: string): string {
    const version = this.#lock.packages[`node_modules/${name}`]?.version;
    if (version === undefined) throw new Error(`the lock file of the repository knows no ${name}`);
    return version;
  }
}
