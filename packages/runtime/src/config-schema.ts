import { configJsonSchema, type JsonSchema } from '@palimpsest/config';
import { compressor } from '@palimpsest/engine-compressor';

/** JSON Schema of `palimpsest.yaml`, the built-in engine's options included: for editors. */
export function configSchema(): JsonSchema {
  return configJsonSchema([compressor.manifest]);
}
