import type { Token } from '@palimpsest/contracts';
import type { AnyToken } from './token-types.ts';
import { inject as tsyringeInject } from './tsyringe.ts';

/** A class of which only the name, the arity and the decorated parameters matter here. */
export type InjectedClass = abstract new (...args: never[]) => unknown;

export type ParameterAt<C, I extends number> = C extends abstract new (...args: infer P) => unknown ? P[I] : never;

/** Appears in the compiler's message when a token does not fit its parameter. */
export interface Misfit<Given, Wanted> {
  readonly tokenGives: Given;
  readonly parameterWants: Wanted;
}

/** The compiler passes the class and the literal index, so the token's type is compared with that one parameter. */
export type Inject<T> = <C extends InjectedClass, I extends number>(
  target: C,
  propertyKey: undefined,
  index: I & ([T] extends [ParameterAt<C, I>] ? unknown : Misfit<T, ParameterAt<C, I>>),
) => void;

interface Injected {
  readonly index: number;
  readonly token: AnyToken;
}

const recorded = new WeakMap<object, Injected[]>();

/**
 * Names the service that a constructor parameter gets: `constructor(@inject(LOG) log: Log)`. A token of a type that is not
 * assignable to the parameter does not compile. The record is kept so that the wiring check can read a class without creating it.
 */
export function inject<T>(token: Token<T>): Inject<T> {
  return (target, propertyKey, index) => {
    tsyringeInject(token.key)(target, propertyKey, index);
    recorded.set(target, [...injectedOf(target), { index, token }]);
  };
}

const injectedOf = (cls: object): readonly Injected[] => recorded.get(cls) ?? [];

/** The tokens a class asks for, in the order of its parameters. */
export function dependenciesOf(cls: InjectedClass): readonly AnyToken[] {
  return [...injectedOf(cls)].sort((a, b) => a.index - b.index).map(({ token }) => token);
}

/** What is wrong with a class's decorators; empty when each required parameter has exactly one. Defaulted parameters do not count. */
export function parameterFaults(cls: InjectedClass): readonly string[] {
  const injected = injectedOf(cls);
  const heir = injected.length === 0 && cls.length === 0 ? decoratedAncestor(cls) : null;
  if (heir !== null) return [`${cls.name} extends ${heir}, which has dependencies, and declares no constructor with @inject`];
  const arity = Math.max(cls.length, ...injected.map(({ index }) => index + 1));
  return Array.from({ length: arity }, (_, index) => parameterFault(cls.name, index, injected)).filter((fault) => fault !== null);
}

function parameterFault(name: string, index: number, injected: readonly Injected[]): string | null {
  const times = injected.filter((one) => one.index === index).length;
  if (times === 1) return null;
  return `parameter ${String(index)} of ${name} has ${times === 0 ? 'no' : String(times)} @inject`;
}

/** A subclass without a constructor has arity 0: unnoticed, it would be created without the dependencies of its parent. */
function decoratedAncestor(cls: InjectedClass): string | null {
  const parent: unknown = Object.getPrototypeOf(cls);
  if (typeof parent !== 'function') return null;
  return injectedOf(parent).length > 0 ? parent.name : decoratedAncestor(parent as unknown as InjectedClass);
}
