import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { Target } from '../packages.ts';
import type { Tarball } from './pack.ts';

/** What publint says of it, suggestions included. */
export async function faultsByPublint({ file }: Pick<Tarball, 'file'>): Promise<readonly string[]> {
  const { buffer } = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

/** The packages are modules only: who wants them by `require` has Node 22.15, which can. */
const NOT_OURS = ['node10', 'node16-cjs'];

/** Whether its types are found, and are those of what runs. */
export async function faultsOfTypes({ file, manifest }: Pick<Tarball, 'file' | 'manifest'>): Promise<readonly string[]> {
  const exported = Object.entries(manifest.exports ?? {});
  const entrypoints = exported.filter(([, target]) => isModule(target)).map(([path]) => path);
  if (entrypoints.length === 0) return [];
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(file))), { entrypoints });
  if (result.types === false) return ['types: it has none'];
  return result.problems.filter((problem) => !isElsewhere(problem)).map((problem) => `types: ${JSON.stringify(problem)}`);
}

const isElsewhere = (problem: Problem): boolean => 'resolutionKind' in problem && NOT_OURS.includes(problem.resolutionKind);

/** Not a file that is merely shown, such as a manifest. */
const isModule = (target: Target): boolean =>
  typeof target === 'string' ? /\.[cm]?js$/u.test(target) : Object.values(target).some(isModule);
