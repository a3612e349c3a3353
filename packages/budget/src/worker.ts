/** The counting thread: jobs come in lists, are done in their order, and each has an answer of its own. */
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

parentPort?.on('message', (jobs: readonly CountJob[]) => {
  for (const job of jobs) parentPort?.postMessage(answer(job));
});
