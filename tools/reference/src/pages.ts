import { readFileSync } from 'node:fs';
import { configJsonSchema } from '@palimpsest/config';
import { compressor } from '@palimpsest/engine-compressor';
import { lcm } from '@palimpsest/engine-lcm';
import { configPage } from './config-page.ts';
import { errorRows } from './error-rows.ts';
import { errorsPage } from './errors-page.ts';

export const ROOT = new URL('../../../', import.meta.url);

/** Those that come along with the runtime. */
export const ENGINES = [compressor.manifest, lcm.manifest];

/** Every generated page: its path in the repository and its text. */
export function pages(): ReadonlyMap<string, string> {
  const catalogue = readFileSync(new URL('packages/contracts/src/errors/catalogue.ts', ROOT), 'utf8');
  return new Map([
    ['docs/errors.md', errorsPage(errorRows(catalogue))],
    ['docs/config.md', configPage(configJsonSchema(ENGINES))],
  ]);
}
