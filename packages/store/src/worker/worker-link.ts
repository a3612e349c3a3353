import { Worker } from 'node:worker_threads';
import type { StoreSettings } from '@palimpsest/contracts';
import { errors } from '@palimpsest/contracts/plain';
import type { Link } from '../link.ts';
import { worded } from '../wording.ts';
import type { Operation, Request, Response, StoreOperations } from './protocol.ts';

interface Pending {
  readonly operation: Operation;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Bodies pass through; a small young space keeps their remains from piling up. A quarter of a GB is room for the longest body that is let in. MB. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** From source, Node strips the types of the worker's files itself and has to find our packages' sources; built, nothing is needed. */
function start(settings: StoreSettings): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url);
  return new Worker(file, {
    workerData: settings,
    resourceLimits: LIMITS,
    execArgv: fromSource ? ['--conditions=@palimpsest/source', '--disable-warning=ExperimentalWarning'] : [],
  });
}

/**
 * Requests to the worker and their answers. The worker starts with the first request, and keeps the process alive only
 * while one waits. When it dies, every waiting request and every later one is rejected with STORE_FAILED.
 */
export class WorkerLink implements Link {
  readonly #settings: StoreSettings;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;
  #sent = 0;
  #fault: unknown = null;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  /** @throws STORE_OPEN_FAILED, STORE_TOO_NEW, STORE_CLOSED, STORE_FAILED, and what the operation throws. */
  call<K extends Operation>(operation: K, ...input: Parameters<StoreOperations[K]>): Promise<ReturnType<StoreOperations[K]>> {
    return new Promise((resolve, reject) => {
      if (this.#closing !== null) throw errors.storeClosed();
      this.#send({ operation, resolve: resolve as Pending['resolve'], reject }, input);
    });
  }

  /** Lets everything asked before finish, then ends the worker. Idempotent. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#worker === null) return;
    const closed = this.#fault === null ? this.call('close') : Promise.resolve(null);
    try {
      await closed;
    } finally {
      this.#worker.ref();
      await this.#ended;
    }
  }

  #send(pending: Pending, input: readonly unknown[]): void {
    if (this.#fault !== null) throw errors.storeFailed(pending.operation, this.#fault);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#sent;
    try {
      worker.postMessage({ id, operation: pending.operation, input } satisfies Request);
    } catch (cause) {
      throw errors.usageInvalid(`Store, ${pending.operation}: what was handed in is not plain data (${String(cause)}).`);
    }
    if (this.#pending.size === 0) worker.ref();
    this.#pending.set(id, pending);
  }

  #start(): Worker {
    const worker = start(this.#settings);
    worker.on('message', (response: Response) => this.#answer(worker, response));
    worker.on('error', (fault: unknown) => this.#fail(fault));
    this.#ended = new Promise((resolve) =>
      worker.once('exit', () => {
        this.#fail(new Error('the database thread ended'));
        resolve();
      }),
    );
    return worker;
  }

  #answer(worker: Worker, response: Response): void {
    const pending = this.#pending.get(response.id);
    if (pending === undefined) return;
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) worker.unref();
    if ('value' in response) pending.resolve(response.value);
    else pending.reject(worded(pending.operation, response));
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
    for (const { operation, reject } of this.#pending.values()) reject(errors.storeFailed(operation, fault));
    this.#pending.clear();
  }
}
