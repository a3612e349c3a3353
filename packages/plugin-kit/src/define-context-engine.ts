import { z } from 'zod';
import {
  engineManifest,
  errors,
  parsedOptions,
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
    parseOptions: (raw: Json): unknown => parsedOptions(schema, raw),
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
