import { defineModule, type Module } from '@palimpsest/wiring';

/**
 * The defaults with a host's modules behind them. The first binding of the host replaces the default of the same token, and the wiring's
 * report says so; a second one is a fault, like any token that is bound twice.
 */
export function withHostModules(defaults: readonly Module[], given: readonly Module[]): readonly Module[] {
  const replaceable = new Set(defaults.flatMap(({ bindings }) => bindings.map(({ token }) => token.key)));
  const replacing = given.map(({ name, bindings }) =>
    defineModule(
      name,
      bindings.map((binding) => (replaceable.delete(binding.token.key) ? binding.overriding() : binding)),
    ),
  );
  return [...defaults, ...replacing];
}
