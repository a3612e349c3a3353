import type { EngineDefinition, Hooks, HostTool, Json, Model } from '@palimpsest/contracts';
import type { TrustPolicy } from '@palimpsest/plugins';
import type { Module } from '@palimpsest/wiring';

/** What a host makes a runtime with; all of it may be left out. */
export interface RuntimeOptions {
  /** Path of a YAML file, or the parsed document itself: laid over `palimpsest.yaml` of the project, and that over the user's. */
  readonly config?: string | { readonly [section: string]: Json };
  /** Default: the process's working directory. */
  readonly projectDir?: string;
  readonly tools?: readonly HostTool[];
  /** Ready models by name; `agent.model` picks one. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Engines to choose from beside the built-in one: definitions, or names of packages, which are found like those that the configuration lists. */
  readonly plugins?: readonly (EngineDefinition | string)[];
  /** Asked before code of the project's folder runs. Default: what `palimpsest engine trust` wrote down in the user's folder. */
  readonly trust?: TrustPolicy;
  readonly hooks?: Partial<Hooks>;
  /** Wired behind the defaults: a binding replaces the default of the same token. */
  readonly modules?: readonly Module[];
}
