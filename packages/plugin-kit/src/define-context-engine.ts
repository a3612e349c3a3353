import { z } from 'zod';
import {
  engineManifest,
  errors,
  type ContextEngine,
  type EngineDefinition,
  type EngineHost,
  type EngineManifest,
  type Json,
} from '@palimpsest/contracts';

/** What an author says of an engine. */
export interface EngineDescription<Options extends z.ZodType = z.ZodType> {
  /** Lower-case letters, digits and dashes. The folder of a plugin has the same name. */
  readonly name: string;
  readonly version: string;
  /** Schema of `context.engines.<name>`; absent: the engine takes no options. A strict object turns a typo into an error. */
  readonly options?: Options;
  /** Whatever else `plugin.yaml` says. */
  readonly manifest?: Partial<Omit<z.input<typeof engineManifest>, 'name' | 'version' | 'options'>>;
  /** Called once per session, with the options as the schema gives them, frozen. */
  create(host: EngineHost<z.output<Options>>): ContextEngine | Promise<ContextEngine>;
}

/**
 * Makes the definition that a plugin's main module exports as default, or that a host registers.
 * @throws PLUGIN_MANIFEST_INVALID when name, version or manifest break a rule.
 */
export function defineContextEngine<Options extends z.ZodType = z.ZodType>(description: EngineDescription<Options>): EngineDefinition {
  const schema = description.options ?? z.strictObject({});
  return Object.freeze({
    manifest: manifestOf(description, schema),
    factory: (host: EngineHost<z.output<Options>>) => description.create(host),
    parseOptions: (raw: Json): unknown => parse(schema, raw),
  });
}

function manifestOf({ name, version, manifest }: EngineDescription, schema: z.ZodType): EngineManifest {
  const options = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const result = engineManifest.safeParse({ contract: '^1.0', main: 'index.js', ...manifest, name, version, options });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw errors.pluginManifestInvalid(
    `engine ${name}`,
    `${issue === undefined ? '' : z.core.toDotPath(issue.path)}: ${issue?.message ?? 'invalid'}`,
  );
}

/** Nothing written counts as an empty mapping. All faults are found; the error speaks of the first. */
function parse(schema: z.ZodType, raw: Json): unknown {
  const result = schema.safeParse(raw ?? {});
  if (result.success) return freeze(result.data);
  const [first, ...others] = result.error.issues.flatMap(faultsOf);
  throw errors.configInvalid(
    null,
    first?.path ?? '',
    first?.problem ?? 'refused',
    null,
    others.map((fault) => ({ ...fault, near: null })),
  );
}

interface Fault {
  readonly path: string;
  readonly problem: string;
}

/** One fault per unknown key, so that each can be shown where it is written. */
function faultsOf(issue: z.core.$ZodIssue): readonly Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: z.core.toDotPath([...issue.path, key]), problem: 'no such option' }));
  return [{ path: z.core.toDotPath(issue.path), problem: issue.message }];
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
