import { needsOf } from './binding.ts';
import type { Binding } from './binding.ts';
import type { Module } from './module.ts';
import type { AnyToken } from './token-types.ts';

/** One token that is served: by the binding in force, or (`binding: null`) by a value that each session brings. */
export interface Service {
  readonly token: AnyToken;
  /** Null: brought by each session. */
  readonly module: string | null;
  readonly binding: Binding | null;
  readonly deps: readonly AnyToken[];
}

/** Everything that is served, by the token's key, in the order of the modules. */
export type Graph = ReadonlyMap<symbol, Service>;

/** Of two bindings of one token the graph holds the later one; what they have against each other is in `faults`. */
export interface Assembly {
  readonly graph: Graph;
  readonly faults: readonly string[];
}

/** Puts modules and session values together. Never fails: what does not go together is in `faults`. */
export function assemble(modules: readonly Module[], sessionValues: readonly AnyToken[]): Assembly {
  const graph = new Map<symbol, Service>();
  const faults: string[] = [];
  for (const service of [...sessionValues.map(brought), ...modules.flatMap(services)]) {
    const fault = clash(graph.get(service.token.key), service);
    if (fault !== null) faults.push(fault);
    graph.set(service.token.key, service);
  }
  return { graph, faults };
}

const brought = (token: AnyToken): Service => ({ token, module: null, binding: null, deps: [] });

const services = (module: Module): Service[] =>
  module.bindings.map((binding) => ({ token: binding.token, module: module.name, binding, deps: needsOf(binding) }));

function clash(earlier: Service | undefined, later: Service): string | null {
  const overrides = later.binding?.overrides ?? false;
  if (earlier === undefined) return overrides ? `${label(later)} overrides an earlier binding, and there is none` : null;
  if (overrides && earlier.binding !== null) return null;
  return `${later.token.name} is bound twice: ${place(earlier)} and ${place(later)}`;
}

/** Where a service comes from, for a reader of faults. */
export const place = ({ module }: Service): string => (module === null ? 'session value' : `module ${module}`);

export const label = (service: Service): string => `${service.token.name} (${place(service)})`;
