/** The counting thread: one job at a time, in the order they come. */
import { parentPort } from 'node:worker_threads';
import { countExactly } from './count-tokens.ts';
import type { CountJob, CountReply } from './counting-messages.ts';

function answer(job: CountJob): CountReply {
  try {
    return { id: job.id, tokens: job.slices.reduce((sum, slice) => sum + countExactly(slice, job.encoding), 0) };
  } catch (thrown) {
    return { id: job.id, problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

parentPort?.on('message', (job: CountJob) => parentPort?.postMessage(answer(job)));
