import type { Scope, Token } from '@palimpsest/contracts';
import { dependenciesOf } from './inject.ts';
import type { AnyToken, Needs, Resolved } from './token-types.ts';

export type Class<T> = new (...args: never[]) => T;
export type Close<T> = (instance: T) => void | Promise<void>;

/** How an instance comes to be. */
export type Source =
  | { readonly how: 'value'; readonly value: unknown }
  | { readonly how: 'class'; readonly cls: Class<unknown> }
  | { readonly how: 'factory'; readonly deps: readonly AnyToken[]; readonly make: (deps: readonly unknown[]) => unknown };

/** One line of a module: this token is served like that. Immutable; each method gives a new binding. */
export interface Binding {
  readonly token: AnyToken;
  readonly source: Source;
  /** Null: whoever made the instance closes it, or it needs no closing. */
  readonly close: Close<unknown> | null;
  readonly overrides: boolean;
  /** Replaces an earlier binding of the same token on purpose. Without this, binding a token twice is a fault. */
  overriding(): Binding;
}

export interface ClosableBinding<T> extends Binding {
  /** How the instance is closed when its scope closes. It must not wait for the closing of its own scope. */
  closing(close: Close<T>): Binding;
}

export interface Binder<T, S extends Scope> {
  /** An instance made elsewhere; its maker closes it. Never null or undefined. */
  toValue(value: T): Binding;
  /** One instance per scope; every constructor parameter has an `@inject`. */
  toClass<C extends T>(cls: Class<C>): ClosableBinding<C>;
  /** One instance per scope, made by a synchronous function of the services named in `deps`. Never null or undefined. */
  toFactory<const D extends readonly Needs<S>[], R extends T>(deps: D, make: (...deps: Resolved<D>) => R): ClosableBinding<R>;
}

/** Begins a binding of a token. */
export function bind<T, S extends Scope>(token: Token<T, S>): Binder<T, S> {
  return {
    toValue: (value) => binding({ token, source: { how: 'value', value }, close: null, overrides: false }),
    toClass: (cls) => closable(token, { how: 'class', cls }),
    toFactory: (deps, make) =>
      closable(token, { how: 'factory', deps, make: (services) => make(...(services as unknown as Resolved<typeof deps>)) }),
  };
}

/** The tokens that a binding asks for, in the order of its parameters. */
export function needsOf({ source }: Binding): readonly AnyToken[] {
  if (source.how === 'value') return [];
  return source.how === 'class' ? dependenciesOf(source.cls) : source.deps;
}

type Fields = Omit<Binding, 'overriding'>;

const binding = (fields: Fields): Binding => Object.freeze({ ...fields, overriding: () => binding({ ...fields, overrides: true }) });

function closable<T>(token: AnyToken, source: Source): ClosableBinding<T> {
  const fields: Fields = { token, source, close: null, overrides: false };
  const closing = (close: Close<T>): Binding => binding({ ...fields, close: (instance) => close(instance as T) });
  return Object.freeze({ ...binding(fields), closing });
}
