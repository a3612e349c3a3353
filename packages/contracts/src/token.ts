/** How long an instance lives. A host instance serves every session of one runtime; a session instance one session. */
export type Scope = 'host' | 'session';

/** A typed name for a service. The type parameter exists for the compiler only; `scope` is checked before any object is made. */
export interface Token<T, S extends Scope = Scope> {
  /** Unique within one runtime, `area.noun`. Shown in wiring reports. */
  readonly name: string;
  readonly scope: S;
  readonly key: symbol;
  /** Never set: it only carries `T`, in both directions, so that a token of another type does not fit. */
  readonly __type?: (value: T) => T;
}

/** A token for a service that every session of one runtime shares. */
export function hostToken<T>(name: string): Token<T, 'host'> {
  return Object.freeze({ name, scope: 'host', key: Symbol(name) });
}

/** A token for a service that belongs to one session. */
export function sessionToken<T>(name: string): Token<T, 'session'> {
  return Object.freeze({ name, scope: 'session', key: Symbol(name) });
}
