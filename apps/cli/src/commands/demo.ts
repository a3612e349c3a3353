import { fileURLToPath } from 'node:url';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, line, prose, tryNext } from '../output/print.ts';
import { show, watched } from './replay.ts';

const sample = fileURLToPath(new URL('../../sample/session.jsonl.gz', import.meta.url));
const WINDOW_TOKENS = 32_000;

/** A recorded working day on a small window: what the default engine does with it. */
export async function demo(options: CommonOptions): Promise<void> {
  await withRuntime({}, async (runtime) => {
    const reports = await watched(runtime, { file: sample, window: WINDOW_TOKENS, engine: 'compressor' });
    if (options.json === true) json(reports[0]);
    else tell(reports);
  });
}

function tell(reports: Parameters<typeof show>[0]): void {
  const session = reports[0]?.session ?? '';
  prose('A recorded coding session, replayed on a window of 32,000 tokens with the built-in engine.');
  line();
  show(reports);
  line();
  tryNext([
    [`npx palimpsest why ${session}`, 'what the model saw at the last step, and why'],
    [`npx palimpsest sessions show ${session}`, 'what the log keeps'],
    ['npx palimpsest replay FILE --window 32000', 'your own session file'],
    ['npx palimpsest init', 'name a model in YAML; then: npx palimpsest run "hello"'],
  ]);
}
