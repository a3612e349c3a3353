import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RequestDump } from './dump.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'palimpsest-dump-'));
  folder = join(root, 'bodies');
});
afterEach(() => rm(root, { recursive: true }));

async function put(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'earlier');
  }
}
const inside = async (): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).sort();
const written = async (dump: RequestDump, session: number | null, steps: number): Promise<void> => {
  const to = await dump.open(session);
  for (let step = 1; step <= steps; step += 1) await to.write(step, 'now');
};

it('leaves none of an earlier, longer run, and all else in the folder as it is', async () => {
  const others = [
    'notes.txt',
    '1.json',
    '00001.json',
    '0000001.json',
    '000009.json.gz',
    'deep/000009.json',
    '12/000009.json',
    '000008.json/000009.json',
  ];
  await put('000001.json', '000002.json', '000003.json', '000999.json', '1000000.json', ...others);
  const dump = new RequestDump(folder);
  await written(dump, null, 2);
  expect(await dump.end()).toEqual({ folder, requests: 2, removed: 3 });
  expect((await inside()).filter((name) => name.endsWith('n') || name.endsWith('t') || name.endsWith('z'))).toEqual(
    ['000001.json', '000002.json', ...others, '000008.json'].sort(),
  );
  expect(await readFile(join(folder, '000002.json'), 'utf8')).toBe('now');
  expect(await readFile(join(folder, 'deep/000009.json'), 'utf8')).toBe('earlier');
});

it('leaves none of a file of more, fewer or one session', async () => {
  await put(
    '000001.json',
    '0000/000001.json',
    '0000/000002.json',
    '0001/000001.json',
    '0001/mine.txt',
    '0002/000001.json',
    '0003/mine.txt',
  );
  const many = new RequestDump(folder);
  await written(many, 0, 1);
  expect(await many.end()).toEqual({ folder, requests: 1, removed: 4 });
  expect(await inside()).toEqual(['0000', '0000/000001.json', '0001', '0001/mine.txt', '0003', '0003/mine.txt']);
  const one = new RequestDump(folder);
  await written(one, null, 1);
  expect(await one.end()).toEqual({ folder, requests: 1, removed: 1 });
  expect(await inside()).toEqual(['000001.json', '0001', '0001/mine.txt', '0003', '0003/mine.txt']);
});

it('keeps the earlier run where this one fails before its first request, and only then', async () => {
  await put('000001.json', '000002.json');
  const early = new RequestDump(folder);
  await early.open(null);
  await early.failed();
  expect(await inside()).toEqual(['000001.json', '000002.json']);
  const late = new RequestDump(folder);
  await written(late, null, 1);
  await late.failed();
  expect(await inside()).toEqual(['000001.json']);
});

it('removes a link, and not where it leads', async () => {
  await mkdir(folder);
  await writeFile(join(root, 'elsewhere.json'), 'kept');
  await symlink(join(root, 'elsewhere.json'), join(folder, '000002.json'));
  await symlink(root, join(folder, '000003.json'));
  const dump = new RequestDump(folder);
  await written(dump, null, 1);
  expect(await dump.end()).toMatchObject({ removed: 2 });
  expect(await readFile(join(root, 'elsewhere.json'), 'utf8')).toBe('kept');
});
