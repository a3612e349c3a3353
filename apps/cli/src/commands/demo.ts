import { fileURLToPath } from 'node:url';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, line } from '../output/print.ts';
import { show, watched } from './replay.ts';

const sample = fileURLToPath(new URL('../../sample/session.jsonl.gz', import.meta.url));
const WINDOW_TOKENS = 32_000;

/** A recorded working day on a small window: what the default engine does with it. */
export async function demo(options: CommonOptions): Promise<void> {
  await withRuntime({}, async (runtime) => {
    const reports = await watched(runtime, { file: sample, window: WINDOW_TOKENS, engine: 'compressor' });
    if (options.json === true) json(reports[0]);
    else for (const report of reports) tell(report);
  });
}

function tell(report: Parameters<typeof show>[0]): void {
  line('A recorded coding session, replayed on a window of 32,000 tokens with the built-in engine.');
  line();
  show(report);
  line();
  line('Try next:');
  line(`  npx palimpsest why ${report.session}            what the model saw at the last step, and why`);
  line(`  npx palimpsest sessions show ${report.session}  what the log keeps`);
  line('  npx palimpsest replay FILE --window 32000              your own session file');
  line('  npx palimpsest run "hello" --config palimpsest.yaml    talk to a model named in YAML');
}
