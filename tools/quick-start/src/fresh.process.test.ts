import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bundled } from './bundle.ts';

const dist = new URL('../../../apps/cli/dist/', import.meta.url);

it('lies there as it would be made now, every file of it', async () => {
  const made = await bundled(false);
  for (const [name, code] of made) expect(await readFile(new URL(name, dist), 'utf8')).toBe(code);
  expect((await readdir(dist)).filter((name) => /^quick.*\.js$/u.test(name)).sort()).toEqual([...made.keys()].sort());
});
