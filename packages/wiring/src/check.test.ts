import { describe, expect, it, vi } from 'vitest';
import { hostToken, isPalimpsestError, sessionToken } from '@palimpsest/contracts';
import { bind, defineModule, inject, openHost } from './index.ts';
import type { AnyToken, HostOptions, Module } from './index.ts';

const [A, B, C, D] = [hostToken<object>('a'), hostToken<object>('b'), hostToken<object>('c'), hostToken<object>('d')];
const [S, T, V] = [sessionToken<object>('s'), sessionToken<object>('t'), sessionToken<object>('v')];
const GAP = hostToken<object>('gap');
const value = { any: true };

class NeedsSession {
  constructor(@inject(S) s: object, undecorated: object) {
    void [s, undecorated];
  }
}

const problems = (modules: readonly Module[], options: HostOptions = {}): unknown => {
  try {
    openHost(modules, options);
  } catch (error) {
    if (isPalimpsestError(error, 'WIRING_INVALID')) return error.details['problems'];
    throw error;
  }
  return [];
};

describe('the wiring check', () => {
  it('reports faults of every kind together, and creates nothing', () => {
    const make = vi.fn(() => value);
    const modules = [
      defineModule('one', [
        bind(A).toFactory([B], make),
        bind(B).toFactory([A], make),
        bind(C).toClass(NeedsSession),
        bind(T).toFactory([D, V], make),
      ]),
      defineModule('two', [bind(S).toFactory([GAP, GAP], make), bind(A).toFactory([B], make), bind(V).toValue(value)]),
      defineModule('two', [bind(hostToken<object>('d')).toFactory([], make).overriding(), bind(hostToken<null>('e')).toValue(null)]),
    ];
    expect(problems(modules, { sessionValues: [V] })).toEqual([
      'two modules are named two',
      'a is bound twice: module one and module two',
      'v is bound twice: session value and module two',
      'd (module two) overrides an earlier binding, and there is none',
      '2 different tokens are named d',
      'c (module one): parameter 1 of NeedsSession has no @inject',
      'e (module two) is null; bind an implementation that does nothing instead',
      'c (module one) has host scope and needs s, which lives for one session',
      't (module one) needs d, which nothing binds',
      's (module two) needs gap, which nothing binds',
      'cycle: a -> b -> a',
    ]);
    expect(make).not.toHaveBeenCalled();
  });

  it('takes declared session values for no gap, and host tokens for no session values', () => {
    const modules = [defineModule('one', [bind(T).toFactory([V], () => value)])];
    expect(problems(modules)).toEqual(['t (module one) needs v, which nothing binds']);
    expect(problems(modules, { sessionValues: [V] })).toEqual([]);
    expect(problems([], { sessionValues: [A as AnyToken as AnyToken<'session'>] })).toEqual([
      'a has host scope and cannot be a session value',
    ]);
    expect(problems([], { sessionValues: [V, V] })).toEqual(['v is bound twice: session value and session value']);
  });

  it('lets the last of several overrides win, in the place of what it replaces', () => {
    const made: string[] = [];
    const make = (name: string) => (): object => ({ name: made.push(name) });
    const host = openHost([
      defineModule('one', [bind(A).toFactory([], make('a1')), bind(B).toFactory([], make('b'))]),
      defineModule('two', [bind(A).toFactory([], make('a2')).overriding(), bind(A).toFactory([], make('a3')).overriding()]),
    ]);
    expect(made).toEqual(['a3', 'b']);
    expect(host.describe().services.map(({ token, module, overrides }) => [token, module, overrides])).toEqual([
      ['a', 'two', true],
      ['b', 'one', false],
    ]);
  });

  it('does not let a module override what a session brings', () => {
    expect(problems([defineModule('one', [bind(V).toValue(value).overriding()])], { sessionValues: [V] })).toEqual([
      'v is bound twice: session value and module one',
    ]);
  });

  it('checks what is in force: a replaced binding may be broken', () => {
    const replaced = bind(A).toFactory([GAP], () => value);
    expect(problems([defineModule('one', [replaced, bind(A).toValue(value).overriding()])])).toEqual([]);
  });
});

describe('session values', () => {
  const host = openHost([], { sessionValues: [S, V] });
  const refused = (...given: Parameters<typeof host.openSession>[0]): unknown => {
    try {
      host.openSession(given);
    } catch (error) {
      return isPalimpsestError(error, 'WIRING_INVALID') ? error.details['problems'] : error;
    }
    return [];
  };

  it('are exactly the declared ones', () => {
    expect(refused(bind(S).toValue(value), bind(V).toValue(value))).toEqual([]);
    expect(refused(bind(A).toValue(value), bind(T).toValue(value))).toEqual([
      'session value s is missing',
      'session value v is missing',
      'a is not a declared session value',
      't is not a declared session value',
    ]);
  });

  it('are given once each, as values that are something', () => {
    const nothing = null as unknown as object;
    expect(refused(bind(S).toValue(value), bind(S).toValue(value).overriding(), bind(V).toValue(nothing))).toEqual([
      'session value s is given more than once',
      'session value v is null; bind an implementation that does nothing instead',
    ]);
    expect(
      refused(
        bind(S).toFactory([], () => value),
        bind(V).toValue(value),
      ),
    ).toEqual(['session value s is given by a factory; give a value']);
  });
});
