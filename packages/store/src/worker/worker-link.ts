import { Worker } from 'node:worker_threads';
import { errors } from '@palimpsest/contracts';
import { fromWire } from './wire-error.ts';
import type { Operation, Request, Response, StoreOperations } from './protocol.ts';

interface Pending { readonly operation: Operation; readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** From source, Node strips the types of the worker's files itself and has to find our packages' sources; built, nothing is needed. */
function start(): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url);
  return new Worker(file, { execArgv: fromSource ? ['--conditions=@palimpsest/source', '--disable-warning=ExperimentalWarning'] : [] });
}

/**
 * Requests to the worker and their answers. The worker keeps the process alive only while a request waits. When it dies,
 * every waiting request and every later one is rejected with STORE_FAILED.
 */
export class WorkerLink {
  readonly #worker = start();
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #sent = 0;
  #closed = false;
  #fault: unknown = null;

  constructor() {
    this.#worker.on('message', (response: Response) => this.#answer(response));
    this.#worker.on('error', (fault: unknown) => this.#fail(fault));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => {
      if (!this.#closed || this.#pending.size > 0) this.#fail(new Error('the database thread ended'));
      resolve();
    }));
  }

  /** @throws STORE_CLOSED, STORE_FAILED, and what the operation throws. */
  call<K extends Operation>(operation: K, ...input: Parameters<StoreOperations[K]>): Promise<ReturnType<StoreOperations[K]>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw errors.storeClosed();
      this.#send({ operation, resolve: resolve as Pending['resolve'], reject }, input);
    });
  }

  /** Lets everything asked before finish, then ends the worker. Idempotent. */
  async close(): Promise<void> {
    const closed = this.#closed || this.#fault !== null ? Promise.resolve(null) : this.call('close');
    this.#closed = true;
    try {
      await closed;
    } finally {
      this.#worker.ref();
      if (this.#fault !== null) await this.#worker.terminate();
      await this.#ended;
    }
  }

  /** Ends the worker at once; for a store that did not open. */
  async end(): Promise<void> {
    this.#closed = true;
    await this.#worker.terminate();
  }

  #send(pending: Pending, input: readonly unknown[]): void {
    if (this.#fault !== null) throw errors.storeFailed(pending.operation, this.#fault);
    const id = ++this.#sent;
    try {
      this.#worker.postMessage({ id, operation: pending.operation, input } satisfies Request);
    } catch (cause) {
      throw errors.usageInvalid(`Store, ${pending.operation}: what was handed in is not plain data (${String(cause)}).`);
    }
    if (this.#pending.size === 0) this.#worker.ref();
    this.#pending.set(id, pending);
  }

  #answer(response: Response): void {
    const pending = this.#pending.get(response.id);
    if (pending === undefined) return;
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in response) pending.reject(fromWire(response.error));
    else pending.resolve(response.value);
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
    for (const { operation, reject } of this.#pending.values()) reject(errors.storeFailed(operation, fault));
    this.#pending.clear();
  }
}
