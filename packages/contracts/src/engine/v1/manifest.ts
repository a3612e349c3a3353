import { z } from 'zod';
import { json, type Json } from '../../parts.ts';
import { markOverrides } from '../../budget.ts';
import type { EngineFactory } from './engine.ts';

/** What an engine may be called, and what it may own, need or be permitted. */
export const ENGINE_NAME = /^[a-z][a-z0-9-]{0,63}$/u;
const word = z.string().regex(ENGINE_NAME, 'lower-case letters, digits and dashes, a letter first');

/** `plugin.yaml`: what is known of a plugin without running any of its code. */
export const engineManifest = z.strictObject({
  /** Equals the folder's name. */
  name: word,
  version: z.string().min(1),
  /** Range of contract versions, `^1.0`. */
  contract: z.string().min(1),
  description: z.string().default(''),
  /** Module with the factory as default export, relative to the manifest. */
  main: z.string().min(1),
  provides: z.array(z.string()).default(['context-engine']),
  /** Rungs the engine does itself: the host leaves them to it. */
  owns: z.array(z.enum(['reduce'])).default([]),
  /** What the host has to offer; where it does not, the engine is not run. */
  needs: z.array(word).default([]),
  /** What its author asks the operator for. Shown, not enforced: an engine runs in the host's process. */
  permissions: z.array(word).default([]),
  /** Beat the threshold policy, and are beaten by `budget.marks`. */
  marks: markOverrides.exactOptional(),
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

/** What a manifest claims of the host, besides being found. */
export type EngineClaims = Pick<EngineManifest, 'owns' | 'needs' | 'permissions' | 'marks'>;

/** One place that was asked for an engine name, and what came of it. */
export interface Lookup {
  readonly place: string;
  readonly found: boolean;
  readonly why: string;
}
/** Every place in order, and the one that answered. */
export interface Resolution {
  readonly asked: string;
  readonly name: string;
  readonly version: string;
  /** `project`, `user`, `registry`, `built-in`. */
  readonly resolvedFrom: string;
  /** The asked engine was not to be had and the built-in one stands in. */
  readonly substituted: boolean;
  readonly claims: EngineClaims;
  readonly lookups: readonly Lookup[];
}
