import { Worker } from 'node:worker_threads';
import { errors } from '@palimpsest/contracts';
import type { CountJob, CountReply } from './counting-messages.ts';
import type { Encoding } from './encodings.ts';

/** The vocabulary takes about 100 MB; texts pass through. A small young space keeps their remains from piling up. MB. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

/** From source the worker is TypeScript too, and finds the other packages' sources as its parent does. */
export function startCountingWorker(): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url);
  return new Worker(file, {
    resourceLimits: LIMITS,
    ...(fromSource ? { execArgv: ['--conditions=@palimpsest/source', '--disable-warning=ExperimentalWarning'] } : {}),
  });
}

interface Waiting {
  readonly resolve: (tokens: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One worker thread, started with the first job and again after it died. It keeps the process alive only while it works. A job
 * is rejected with BUDGET_WORKER_FAILED when the thread cannot do it, with BUDGET_CLOSED when it is closed meanwhile.
 */
export class CountingThread {
  readonly #start: () => Worker;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #closed = false;
  #jobs = 0;
  /** Asked in this tick. To wake the thread takes longer than most counts, and holds up the caller: one message takes them all. */
  #asked: CountJob[] = [];

  constructor(start: () => Worker = startCountingWorker) {
    this.#start = start;
  }

  /** Tokens of the slices together. */
  async count(slices: readonly string[], encoding: Encoding): Promise<number> {
    if (this.#closed) throw errors.budgetClosed();
    const worker = this.#running();
    const job: CountJob = { id: ++this.#jobs, encoding, slices };
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.id, { resolve, reject });
      worker.ref();
      if (this.#asked.push(job) === 1) queueMicrotask(() => this.#post(worker));
    });
  }

  #post(worker: Worker): void {
    const asked = this.#asked;
    this.#asked = [];
    worker.postMessage(asked);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = null;
    this.#rejectAll(errors.budgetClosed());
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    try {
      return (this.#worker = this.#watched(this.#start()));
    } catch (thrown) {
      throw errors.budgetWorkerFailed(thrown);
    }
  }

  #watched(worker: Worker): Worker {
    worker.on('message', (reply: CountReply) => this.#settle(reply));
    worker.on('messageerror', (thrown) => this.#lost(worker, thrown));
    worker.on('error', (thrown) => this.#lost(worker, thrown));
    worker.on('exit', (code) => this.#lost(worker, new Error(`it ended with code ${String(code)}`)));
    return worker;
  }

  #settle(reply: CountReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('tokens' in reply) waiting?.resolve(reply.tokens);
    else waiting?.reject(errors.budgetWorkerFailed(new Error(reply.problem)));
  }

  #lost(worker: Worker, cause: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    void worker.terminate();
    this.#rejectAll(errors.budgetWorkerFailed(cause));
  }

  #rejectAll(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
