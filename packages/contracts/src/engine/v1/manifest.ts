import { z } from 'zod';
import { json, type Json } from '../../parts.ts';
import { marks } from '../../budget.ts';
import type { EngineFactory } from './engine.ts';

/** `plugin.yaml`: what is known of a plugin without running any of its code. */
export const engineManifest = z.strictObject({
  /** Equals the folder's name. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/u, 'lower-case letters, digits and dashes, a letter first'),
  version: z.string().min(1),
  /** Range of contract versions, `^1.0`. */
  contract: z.string().min(1),
  description: z.string().default(''),
  /** Module with the factory as default export, relative to the manifest. */
  main: z.string().min(1),
  provides: z.array(z.string()).default(['context-engine']),
  /** Rungs the engine does itself. */
  owns: z.array(z.enum(['reduce'])).default([]),
  needs: z.array(z.string()).default([]),
  permissions: z.array(z.string()).default([]),
  marks: marks.unwrap().partial().optional(),
  /** JSON Schema of `context.engines.<name>`. */
  options: json.default({ type: 'object', properties: {}, additionalProperties: false }),
});
export type EngineManifest = z.infer<typeof engineManifest>;

/** A manifest with its factory: what a registry holds. `parseOptions` turns raw YAML into the factory's options, or throws CONFIG_INVALID. */
export interface EngineDefinition {
  readonly manifest: EngineManifest;
  readonly factory: EngineFactory<never>;
  readonly parseOptions?: (raw: Json) => unknown;
}

/** One place that was asked for an engine name, and what came of it. */
export interface Lookup { readonly place: string; readonly found: boolean; readonly why: string }
/** Every place in order, and the one that answered. */
export interface Resolution {
  readonly asked: string;
  readonly name: string;
  readonly version: string;
  /** `project`, `user`, `registry`, `built-in`. */
  readonly resolvedFrom: string;
  /** The asked engine was not to be had and the built-in one stands in. */
  readonly substituted: boolean;
  readonly lookups: readonly Lookup[];
}
