import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Source files of the last commit under a folder, entry first, then the longest; tests only when asked for. */
export class Choice {
  readonly #repository: string;
  readonly #paths: readonly string[];

  constructor(repository: string) {
    this.#repository = repository;
    this.#paths = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).trim().split('\n');
  }

  sources(folder: string, most: number, tests = false): readonly string[] {
    const found = this.#paths.filter(
      (path) =>
        path.startsWith(`${folder}/`) &&
        path.endsWith('.ts') &&
        /\.test\.ts$/.test(path) === tests &&
        !/fixtures|test-d|test-support|-data\.ts$/.test(path),
    );
    const sized = found
      .map((path) => [path, this.#size(path)] as const)
      .sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
    const entry = sized.filter(([path]) => path.endsWith('/index.ts'));
    return [...entry, ...sized.filter(([path]) => !path.endsWith('/index.ts'))].slice(0, most).map(([path]) => path);
  }

  packages(): readonly string[] {
    return this.#paths.flatMap((path) => /^packages\/([^/]+)\/package\.json$/.exec(path)?.[1] ?? []);
  }

  #size(path: string): number {
    return readFileSync(join(this.#repository, path)).length;
  }
}
