import { errors } from '@palimpsest/contracts';
import type { Scope, Token } from '@palimpsest/contracts';
import type { Binding } from './binding.ts';
import { sessionValueFaults, wiringFaults } from './check.ts';
import { assertClosed } from './closing.ts';
import type { CloseFault } from './closing.ts';
import { assemble } from './graph.ts';
import type { Service } from './graph.ts';
import { LiveScope } from './live-scope.ts';
import type { Module } from './module.ts';
import { dependencyOrder } from './order.ts';
import { reportService } from './report.ts';
import type { WiringReport } from './report.ts';
import type { AnyToken } from './token-types.ts';

/** For the composition root alone: whoever else holds it would have a service locator. */
export interface Host {
  get<T>(token: Token<T, 'host'>): T;
  /** `values`: one `toValue` binding for each declared session value, no more and no less. */
  openSession(values: readonly Binding[]): SessionScope;
  /** Closes the sessions that are still open, then the host services; last opened first. Calling again changes nothing and ends the same way. */
  close(): Promise<void>;
  /** The wiring as plain data, also after closing. */
  describe(): WiringReport;
}

export interface SessionScope {
  /** Session and host services. */
  get<T>(token: Token<T>): T;
  /** Last opened first. Calling again changes nothing and ends the same way. */
  close(): Promise<void>;
}

export interface HostOptions {
  /** What {@link Host.openSession} will be given. */
  readonly sessionValues?: readonly AnyToken<'session'>[];
}

/**
 * Checks the whole wiring and throws all its faults as one WIRING_INVALID before any object exists; then creates every host service
 * in dependency order. When a constructor or factory throws, what was made before is closed again ({@link afterFailedOpen}).
 */
export function openHost(modules: readonly Module[], { sessionValues = [] }: HostOptions = {}): Host {
  const assembly = assemble(modules, sessionValues);
  const faults = wiringFaults(modules, sessionValues, assembly);
  if (faults.length > 0) throw errors.wiringInvalid(faults);
  return new WiredHost(
    modules.map(({ name }) => name),
    dependencyOrder(assembly.graph).order,
    sessionValues,
  );
}

class WiredHost implements Host {
  readonly #modules: readonly string[];
  readonly #services: readonly Service[];
  readonly #sessionValues: readonly AnyToken[];
  readonly #scope = new LiveScope('host', null);
  readonly #sessions = new Set<LiveScope>();
  #closing: Promise<void> | null = null;

  constructor(modules: readonly string[], services: readonly Service[], sessionValues: readonly AnyToken[]) {
    this.#modules = modules;
    this.#services = services;
    this.#sessionValues = sessionValues;
    this.#scope.open(this.#bindings('host'));
  }

  get<T>(token: Token<T, 'host'>): T {
    this.#assertOpen();
    return this.#scope.get(token);
  }

  openSession(values: readonly Binding[]): SessionScope {
    this.#assertOpen();
    const faults = sessionValueFaults(this.#sessionValues, values);
    if (faults.length > 0) throw errors.wiringInvalid(faults);
    const scope = new LiveScope('session', this.#scope);
    this.#sessions.add(scope); // before it opens: what a failed opening leaves to close is closed before the host, too
    try {
      scope.open([...values, ...this.#bindings('session')]);
    } catch (error) {
      void this.#closeSession(scope);
      throw error;
    }
    return this.#handle(scope);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  describe(): WiringReport {
    return { modules: [...this.#modules], services: this.#services.map(reportService) };
  }

  #handle(scope: LiveScope): SessionScope {
    const get = <T>(token: Token<T>): T => {
      this.#assertOpen();
      return scope.get(token);
    };
    return { get, close: async () => assertClosed('session scope', await this.#closeSession(scope)) };
  }

  async #closeSession(scope: LiveScope): Promise<readonly CloseFault[]> {
    const faults = await scope.close();
    this.#sessions.delete(scope);
    return faults;
  }

  async #closeAll(): Promise<void> {
    const faults: CloseFault[] = [];
    for (const scope of [...this.#sessions].reverse()) faults.push(...(await scope.close()));
    faults.push(...(await this.#scope.close()));
    assertClosed('host scope', faults);
  }

  #bindings(scope: Scope): readonly Binding[] {
    return this.#services.flatMap(({ token, binding }) => (token.scope === scope && binding !== null ? [binding] : []));
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw errors.wiringClosed('host');
  }
}
