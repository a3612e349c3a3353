import type { Scope, Token } from '@palimpsest/contracts';

/** A token whose service type is not looked at. Every `Token<T>` fits, although tokens are invariant in `T`. */
export type AnyToken<S extends Scope = Scope> = Pick<Token<unknown, S>, 'name' | 'scope' | 'key'>;

/** The services that a list of tokens stands for, in the same order. */
export type Resolved<D extends readonly AnyToken[]> = { -readonly [I in keyof D]: D[I] extends Token<infer T> ? T : never };

/** What a service of scope `S` may ask for: a host service outlives every session, so it may not hold a session service. */
export type Needs<S extends Scope> = S extends 'host' ? AnyToken<'host'> : AnyToken;
