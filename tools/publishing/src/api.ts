import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf } from './api/entries.ts';
import { extract } from './api/extract.ts';
import { page } from './api/page.ts';
import { publishedPackages, ROOT } from './packages.ts';

const FOLDER = 'docs/api';
const packages = publishedPackages().filter((each) => entriesOf(each).length > 0);
const { reports, faults } = extract(ROOT, packages.flatMap(entriesOf));

const pages = new Map(
  packages.map((each) => {
    const sections = entriesOf(each).map(({ specifier }) => ({ specifier, report: reports.get(specifier) ?? '' }));
    return [`${each.folder.split('/')[1] ?? ''}.api.md`, page(each.manifest.name, sections)];
  }),
);

mkdirSync(join(ROOT, FOLDER), { recursive: true });
const before = new Map(readdirSync(join(ROOT, FOLDER)).map((file) => [file, readFileSync(join(ROOT, FOLDER, file), 'utf8')]));
const stale = [...pages].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
const gone = [...before.keys()].filter((file) => !pages.has(file));

for (const { specifier, rule, text } of faults) console.error(`api: ${specifier}: ${text} (${rule})`);
if (process.argv.includes('--check')) {
  for (const file of [...stale, ...gone])
    console.error(`${FOLDER}/${file} is not what the packages export: run npm run api, and read what changed`);
  if (stale.length + gone.length > 0) process.exitCode = 1;
} else {
  for (const file of gone) rmSync(join(ROOT, FOLDER, file));
  for (const file of stale) writeFileSync(join(ROOT, FOLDER, file), pages.get(file) ?? '');
  console.log(stale.length + gone.length === 0 ? 'api: nothing to write' : `api: wrote ${[...stale, ...gone].join(', ')}`);
}
if (faults.length > 0) process.exitCode = 1;
