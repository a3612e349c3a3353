import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bundled, ENTRIES, type Bundle } from './bundle.ts';

const folders: Readonly<Record<Bundle, URL>> = {
  runtime: new URL('../../../packages/runtime/', import.meta.url),
  command: new URL('../../../apps/cli/', import.meta.url),
};
const made = { runtime: await bundled('runtime', false), command: await bundled('command', false) };
const isMade = (file: string): boolean => /^(?:quick[^/]*|few\/.*)\.js$/u.test(file);

describe.each(['runtime', 'command'] as const)('the files of the %s', (which) => {
  const dist = new URL('dist/', folders[which]);

  it('lie there as they would be made now, every one of them', async () => {
    for (const [name, code] of made[which]) expect(await readFile(new URL(name, dist), 'utf8')).toBe(code);
    expect((await readdir(dist, { recursive: true })).filter(isMade).sort()).toEqual([...made[which].keys()].sort());
  });

  it('bring the licence of what they copy', () => {
    const licences = [...made[which].values()].flatMap((code) => [...code.matchAll(/^\/\*!\n(\S+)\n\n([\s\S]*?)\*\//gmu)]);
    expect([...new Set(licences.map(([, name]) => name))].sort()).toEqual(which === 'runtime' ? ['yaml'] : ['commander', 'picocolors']);
    for (const [, , text = ''] of licences) expect(text).toMatch(/copyright/iu);
  });

  it('import what the package declares, and nothing else', async () => {
    const { dependencies } = JSON.parse(await readFile(new URL('package.json', folders[which]), 'utf8')) as {
      readonly dependencies: object;
    };
    const named = new Set<string>();
    for (const code of made[which].values())
      for (const [, name = ''] of code.matchAll(/(?:from |import |import\()"((?:@[^/"]+\/)?[^/".][^/"]*)/gu))
        if (!name.startsWith('node:')) named.add(name);
    expect([...named].filter((name) => !(name in dependencies))).toEqual([]);
  });
});

it('leads every export of the runtime to one of them', async () => {
  const { exports } = JSON.parse(await readFile(new URL('package.json', folders.runtime), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly default: string }>>;
  };
  const files = Object.values(exports).map((one) => one.default);
  expect(files.sort()).toEqual(ENTRIES.map((name) => `./dist/few/${name}.js`).sort());
});
