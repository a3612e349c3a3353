import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type { Scope, Token } from '@palimpsest/contracts';
import type { Binding, Source } from './binding.ts';
import { emptyFaults } from './check.ts';
import { closeAll, rememberClosing } from './closing.ts';
import type { CloseFault, Closer } from './closing.ts';
import { container as globalContainer, injectable, Lifecycle } from './tsyringe.ts';
import type { DependencyContainer } from './tsyringe.ts';

/** A root of its own. A child of the global container would inherit whatever others register there, and die with it. */
const newRoot = (): DependencyContainer => Reflect.construct(globalContainer.constructor, []) as DependencyContainer;

/**
 * The instances of one scope and the list by which they are closed. The only place that touches a tsyringe container. The container is
 * never asked to dispose of anything: it would close in the wrong order, and forget values and factory results.
 */
export class LiveScope {
  readonly #scope: Scope;
  readonly #closers: Closer[] = [];
  #container: DependencyContainer | null;
  #closing: Promise<readonly CloseFault[]> | null = null;

  constructor(scope: Scope, parent: LiveScope | null) {
    this.#scope = scope;
    this.#container = parent === null ? newRoot() : parent.#live().createChildContainer();
  }

  /** Creates every binding, in the given order. After a fault nothing stays open: see {@link rememberClosing}. */
  open(bindings: readonly Binding[]): void {
    try {
      for (const binding of bindings) this.#create(this.#live(), binding);
    } catch (error) {
      rememberClosing(error as object, this.close());
      throw error;
    }
  }

  get<T>(token: Token<T>): T {
    const container = this.#live();
    if (!container.isRegistered(token.key, true)) throw errors.wiringInvalid([`${token.name} is not served in the ${this.#scope} scope`]);
    return container.resolve<T>(token.key);
  }

  /** Refuses every `get` from now on, and closes. Never rejects; calling again gives the same promise. */
  close(): Promise<readonly CloseFault[]> {
    this.#container = null;
    return (this.#closing ??= closeAll(this.#closers));
  }

  #live(): DependencyContainer {
    if (this.#container === null) throw errors.wiringClosed(this.#scope);
    return this.#container;
  }

  #create(container: DependencyContainer, { token, source, close }: Binding): void {
    const instance = createNamed(container, token.name, token.key, source);
    if (close !== null) this.#closers.push({ name: token.name, close: () => close(instance) });
  }
}

/** A typed error of a constructor or factory passes as it is; anything else is told which service it comes from. */
function createNamed(container: DependencyContainer, name: string, key: symbol, source: Source): unknown {
  try {
    return source.how === 'class' ? createClass(container, key, source.cls) : createOther(container, name, key, source);
  } catch (error) {
    throw isPalimpsestError(error) ? error : errors.wiringCreateFailed(name, error);
  }
}

function createClass(container: DependencyContainer, key: symbol, cls: new (...args: never[]) => unknown): unknown {
  const target = cls as new (...args: unknown[]) => unknown;
  injectable()(target); // no more than tsyringe's own record of the decorated parameters
  container.register(key, { useClass: target }, { lifecycle: Lifecycle.Singleton });
  return container.resolve(key);
}

function createOther(container: DependencyContainer, name: string, key: symbol, source: Exclude<Source, { how: 'class' }>): unknown {
  const instance = source.how === 'value' ? source.value : source.make(source.deps.map((dep) => container.resolve(dep.key)));
  const faults = emptyFaults(name, instance);
  if (faults.length > 0) throw errors.wiringInvalid(faults);
  container.registerInstance(key, instance);
  return instance;
}
