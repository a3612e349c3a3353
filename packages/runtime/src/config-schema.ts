import { configJsonSchema, type JsonSchema } from '@palimpsest/config';
import { ownEngines } from './own-engines.ts';

/** JSON Schema of `palimpsest.yaml`, the options of the engines that come along included: for editors. */
export function configSchema(): JsonSchema {
  return configJsonSchema(ownEngines.map(({ manifest }) => manifest));
}
