import { readFileSync, readdirSync } from 'node:fs';

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//u;

/** What has to stand where code of others is copied to: a comment with the licence of each package that modules of a chunk are from. '' for none. */
export function licencesOf(moduleIds: readonly string[]): string {
  const folders = new Map(moduleIds.flatMap((id) => [PACKAGE.exec(id)]).flatMap((found) => (found === null ? [] : [[found[2], found[1]]])));
  return [...folders].map(([name = '', folder = '']) => `/*!\n${name}\n\n${licenceIn(folder)}\n*/`).join('\n');
}

/** @throws where a package brings none: then it cannot be copied. */
function licenceIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/iu.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  return readFileSync(`${folder}/${file}`, 'utf8').trim().replaceAll('*/', '* /');
}
