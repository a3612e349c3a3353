import { compressor } from '@palimpsest/engine-compressor';
import { loadConfig, type Config } from '@palimpsest/config';
import { providers } from './session/models.ts';
import { surroundings } from './adapters/surroundings.ts';

/** Reads every layer and checks it; opens nothing else. @throws CONFIG_*. */
export function checkConfig(file?: string): Promise<Config> {
  return loadConfig({ ...surroundings(), ...(file === undefined ? {} : { file }), known: { engines: [compressor], providers } });
}
