/** Configuration files in a folder of their own, gone after each test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { isPalimpsestError, type PalimpsestError } from '@palimpsest/contracts';
import type { Config } from './config.ts';
import { loadConfig, type LoadOptions } from './load.ts';

export interface Folders {
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => Promise<string>;
  readonly load: (more?: Partial<LoadOptions>) => Promise<Config>;
  /** The typed error that loading ends with. */
  readonly failure: (more?: Partial<LoadOptions>) => Promise<PalimpsestError>;
}

export function useFolders(): Folders {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'palimpsest-config-'));
  });
  afterEach(() => rm(root, { recursive: true }));
  const path = (name: string): string => join(root, name);
  const load: Folders['load'] = (more = {}) => loadConfig({ projectDir: path('project'), userDir: path('user'), env: {}, ...more });
  return {
    path,
    load,
    write: async (name, text) => {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
      return path(name);
    },
    failure: async (more) => {
      const thrown: unknown = await load(more).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (!isPalimpsestError(thrown)) throw new Error(`expected a typed error, got ${String(thrown)}`);
      return thrown;
    },
  };
}

interface Shown {
  readonly line?: number;
  readonly column?: number;
}
interface ShownFault {
  readonly at: Shown | null;
  readonly path: string;
  readonly problem: string;
  readonly near: string | null;
}

/** `line:column path | problem | nearest key` of every fault. */
export function lines({ details }: PalimpsestError): readonly string[] {
  const one = ({ path, problem, near }: ShownFault, at: Shown | null): string =>
    `${String(at?.line)}:${String(at?.column)} ${path} | ${problem}${near === null ? '' : ` | ${near}`}`;
  const first = details as unknown as ShownFault & Shown;
  return [one(first, first), ...(details['others'] as unknown as ShownFault[]).map((fault) => one(fault, fault.at))];
}
