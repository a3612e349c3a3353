import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedPackages, ROOT } from './packages.ts';
import { faultsInside } from './tarballs/inside.ts';
import { pruneOrphans } from './tarballs/orphans.ts';
import { faultsByPublint, faultsOfTypes } from './tarballs/outside.ts';
import { pack, type Tarball } from './tarballs/pack.ts';

const packages = publishedPackages();
const manifests = packages.map(({ manifest }) => manifest);
const licenceOf = (folder: string): string =>
  existsSync(join(ROOT, folder, 'LICENSE')) ? readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8') : '';

async function faultsOf(tarball: Tarball): Promise<readonly string[]> {
  const own = licenceOf(tarball.folder) === licenceOf('.') ? [] : ['LICENSE is not that of the repository'];
  return [...own, ...faultsInside(tarball, manifests), ...(await faultsByPublint(tarball)), ...(await faultsOfTypes(tarball))];
}

async function main(to: string): Promise<void> {
  const orphans = packages.flatMap(({ folder }) => pruneOrphans(ROOT, folder));
  if (orphans.length > 0) console.log(`tarballs: took away what was built from sources that are gone: ${orphans.join(', ')}`);
  const tarballs = pack(packages, to, ROOT);
  let count = 0;
  for (const tarball of tarballs) {
    for (const fault of await faultsOf(tarball)) {
      console.error(`${tarball.folder}: ${fault}`);
      count += 1;
    }
  }
  const bytes = tarballs.reduce((sum, tarball) => sum + tarball.bytes, 0);
  console.log(`tarballs: ${String(tarballs.length)} packages, ${String(Math.round(bytes / 1000))} kB, ${String(count)} faults`);
  if (count > 0) process.exitCode = 1;
}

const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
if (to !== undefined) {
  mkdirSync(resolve(to), { recursive: true });
  await main(resolve(to));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tarballs-'));
  await main(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}
