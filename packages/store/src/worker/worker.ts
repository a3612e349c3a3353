/** The thread that owns the database: one request at a time, in the order in which they came. */
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreSettings } from '@palimpsest/contracts';
import { openDatabase, type OpenDatabase } from '../database/open-database.ts';
import { faultOf } from '../database/fault.ts';
import type { Request, Response } from './protocol.ts';

const port = parentPort;
const settings = workerData as StoreSettings;
if (port === null) throw new Error('worker.ts runs as a worker thread only');

/** So many entries may wait for their place in the word index before it is brought up to date between two requests. */
const INDEX_LAG = 64;

let database: OpenDatabase | null = null;
let indexing = false;

function answer({ id, operation, input }: Request): Response {
  if (operation === 'close' && database === null) return { id, value: null };
  try {
    database ??= openDatabase(settings);
    const run = database.operations[operation] as (...input: readonly unknown[]) => unknown;
    return { id, value: run(...input) };
  } catch (thrown) {
    const named = faultOf(thrown);
    if (named !== null) return { id, fault: named.fault, input: named.input };
    return { id, thrown: thrown instanceof Error ? new Error(thrown.message) : String(thrown) };
  }
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
  else if (!indexing && database !== null && database.unindexed() >= INDEX_LAG) {
    indexing = true;
    setImmediate(index);
  }
});
