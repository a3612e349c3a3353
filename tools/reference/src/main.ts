import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pages, ROOT } from './pages.ts';

const read = (path: string): string | null => {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8');
  } catch {
    return null;
  }
};

const stale = [...pages()].filter(([path, text]) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is not what the source says: run npm run docs`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(new URL('docs/', ROOT), { recursive: true });
  for (const [path, text] of stale) writeFileSync(new URL(path, ROOT), text);
  console.log(stale.length === 0 ? 'docs: nothing to write' : `docs: wrote ${stale.map(([path]) => path).join(', ')}`);
}
