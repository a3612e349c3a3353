import { z } from 'zod';
import type { EngineManifest, Json } from '@palimpsest/contracts';
import type { Path } from './dotted-path.ts';
import { configSchema } from './schema.ts';

export type JsonSchema = { readonly [key: string]: Json };
export type Manifests = readonly Pick<EngineManifest, 'name' | 'options'>[];

const bare: JsonSchema = { title: 'palimpsest.yaml', ...(z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema) };
const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const child = (schema: JsonSchema, key: string): JsonSchema => {
  const found = schema[key];
  return isObject(found) ? found : {};
};

/** JSON Schema of `palimpsest.yaml`, for editors: meaning, default and examples of every key; with the options of the engines that are given. A fresh object each time. */
export function configJsonSchema(engines: Manifests = []): JsonSchema {
  const whole = structuredClone<{ [key: string]: Json }>(bare);
  const sections = child(whole, 'properties');
  const named: { [key: string]: Json } = child(child(child(sections, 'context'), 'properties'), 'engines');
  named['properties'] = Object.fromEntries(engines.map(({ name, options }) => [name, structuredClone(options)]));
  const compressor = engines.find(({ name }) => name === 'compressor')?.options;
  if (isObject(compressor)) {
    const compression: { [key: string]: Json } = child(sections, 'compression');
    compression['properties'] = { ...structuredClone(child(compressor, 'properties')), ...child(compression, 'properties') };
    if (compressor['additionalProperties'] === false) compression['additionalProperties'] = false;
  }
  return whole;
}

/** The schema of the value at `path`; empty where the schema leaves it open. */
export function schemaAt(schema: JsonSchema, path: Path): JsonSchema {
  let here = schema;
  for (const step of path) {
    const properties = child(here, 'properties');
    if (typeof step === 'number') here = child(here, 'items');
    else here = Object.hasOwn(properties, step) ? child(properties, step) : child(here, 'additionalProperties');
  }
  return here;
}

/** The keys that the schema names at `path`. */
export const knownKeys = (schema: JsonSchema, path: Path): readonly string[] => Object.keys(child(schemaAt(schema, path), 'properties'));

/** What the schema of an engine's options gives to keys that are not written. */
export function defaultsOf(options: Json): { readonly [key: string]: Json } {
  const properties = Object.entries(isObject(options) ? child(options, 'properties') : {});
  return Object.fromEntries(
    properties.flatMap(([key, value]) => (isObject(value) && value['default'] !== undefined ? [[key, value['default']]] : [])),
  );
}

export const ownSchema: JsonSchema = bare;
