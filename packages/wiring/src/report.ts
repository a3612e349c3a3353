import type { Scope } from '@palimpsest/contracts';
import type { Service } from './graph.ts';

export interface ServiceReport {
  readonly token: string;
  readonly scope: Scope;
  /** Null: brought by each session. */
  readonly module: string | null;
  readonly how: 'value' | 'class' | 'factory' | 'session-value';
  /** The class, when `how` says so. */
  readonly by: string | null;
  /** Token names, in the order of the parameters. */
  readonly deps: readonly string[];
  readonly overrides: boolean;
  /** Whether the scope closes it. */
  readonly closes: boolean;
}

/** The whole wiring as plain data, in the order of creation. */
export interface WiringReport {
  readonly modules: readonly string[];
  readonly services: readonly ServiceReport[];
}

export function reportService({ token, module, binding, deps }: Service): ServiceReport {
  const source = binding?.source;
  return {
    token: token.name,
    scope: token.scope,
    module,
    how: source?.how ?? 'session-value',
    by: source?.how === 'class' ? source.cls.name : null,
    deps: deps.map(({ name }) => name),
    overrides: binding?.overrides ?? false,
    closes: binding !== null && binding.close !== null,
  };
}
