import { globSync, rmSync } from 'node:fs';
import { bundled, folderOf, type Bundle } from './bundle.ts';

/** What an earlier build wrote under another name would be packed as well. */
function without(which: Bundle, files: string): void {
  for (const file of globSync(files, { cwd: folderOf(which) })) rmSync(`${folderOf(which)}/${file}`);
}

without('runtime', 'dist/few/*.js');
await bundled('runtime', true);
without('command', 'dist/quick*.js');
await bundled('command', true);
