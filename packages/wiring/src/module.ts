import type { Binding } from './binding.ts';

/** The bindings of one package, under the name that wiring faults and reports show. */
export interface Module {
  readonly name: string;
  readonly bindings: readonly Binding[];
}

export function defineModule(name: string, bindings: readonly Binding[]): Module {
  return Object.freeze({ name, bindings: Object.freeze([...bindings]) });
}
