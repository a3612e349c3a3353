import type { Session } from '@palimpsest/runtime';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, warn } from '../output/print.ts';

export interface RunOptions extends CommonOptions { readonly session?: string }

/** One prompt; the answer streams. Ctrl-C aborts the turn and leaves the session whole. */
export async function run(prompt: string, options: RunOptions): Promise<void> {
  await withRuntime(options, async (runtime) => {
    const session = await runtime.openSession(options.session === undefined ? {} : { id: options.session });
    const told = runtime.notices.length;
    for (const notice of runtime.notices) warn(notice);
    try {
      await turn(session, prompt, options.json === true);
    } finally {
      await session.close();
      for (const notice of runtime.notices.slice(told)) warn(notice);
    }
  });
}

async function turn(session: Session, prompt: string, asJson: boolean): Promise<void> {
  const abort = new AbortController();
  const onInterrupt = (): void => { abort.abort(); };
  process.once('SIGINT', onInterrupt);
  try {
    const sent = session.send(prompt, { signal: abort.signal });
    for await (const part of sent) if (part.type === 'text-delta' && !asJson) process.stdout.write(part.text);
    const result = await sent.result;
    if (asJson) json({ session: session.id, ...result });
    else process.stdout.write(`\n[${session.id}: ${result.ended}, ${String(result.steps)} step(s)]\n`);
    if (result.ended === 'aborted') process.exitCode = 1;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
