import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', 'planted', '.nx']);
const READ = /\.ts$|^package\.json$|^tsconfig\.json$|^README\.md$|^plugin\.ya?ml$/;

/** Every file of the workspace that a rule looks at, by its path relative to `root`. */
export function readFiles(root: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of ['package.json', 'tsconfig.json']) files.set(name, readFileSync(join(root, name), 'utf8'));
  for (const top of ['packages', 'apps', 'tools']) readFolder(root, top, files);
  return files;
}

function readFolder(root: string, folder: string, files: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) readFolder(root, path, files);
    else if (entry.isFile() && READ.test(entry.name)) files.set(path, readFileSync(join(root, path), 'utf8'));
  }
}
