/** The thread that owns the database: one request at a time, in the order in which they came. */
import { parentPort } from 'node:worker_threads';
import { errors } from '@palimpsest/contracts';
import { Database } from '../database/database.ts';
import { toWire } from './wire-error.ts';
import type { Request, Response, StoreOperations } from './protocol.ts';

const port = parentPort;
if (port === null) throw new Error('worker.ts runs as a worker thread only');

/** So many entries may wait for their place in the word index before it is brought up to date between two requests. */
const INDEX_LAG = 64;

let database: Database | null = null;
let indexing = false;

function answer({ id, operation, input }: Request): Response {
  try {
    return { id, value: run(operation, input) };
  } catch (thrown) {
    return { id, error: toWire(operation, thrown) };
  }
}

function run(operation: Request['operation'], input: readonly unknown[]): unknown {
  if (operation === 'open') {
    database = new Database(...(input as Parameters<StoreOperations['open']>));
    return null;
  }
  if (database === null) throw errors.storeClosed();
  const method = database[operation] as (...input: readonly unknown[]) => unknown;
  return method.apply(database, [...input]);
}

/** After the answer, so that no append waits for it; what fails here fails again, loudly, in the next search. */
function index(): void {
  indexing = false;
  try {
    database?.indexSome();
  } catch {
    return;
  }
}

port.on('message', (request: Request) => {
  port.postMessage(answer(request));
  if (request.operation === 'close') port.close();
  else if (!indexing && database !== null && database.unindexed >= INDEX_LAG) {
    indexing = true;
    setImmediate(index);
  }
});
