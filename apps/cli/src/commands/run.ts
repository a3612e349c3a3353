import { errors } from '@palimpsest/contracts';
import type { Session } from '@palimpsest/runtime';
import { Interrupts } from '../interrupts.ts';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { AnswerWriter } from '../output/answer.ts';
import { counted, json, line, warn } from '../output/print.ts';
import { out } from '../output/stdout.ts';

export interface RunOptions extends CommonOptions {
  readonly session?: string;
}

/** A character that is neither a blank nor invisible. */
const SAYS_SOMETHING = /[^\s\p{Cc}\p{Cf}\p{Z}]/u;

/** One prompt; the answer streams. Ctrl-C, or a request to end, aborts the turn and leaves the session whole and free. */
export async function run(prompt: string, options: RunOptions): Promise<void> {
  if (!SAYS_SOMETHING.test(prompt))
    throw errors.usageInvalid('The prompt is empty: there is nothing to send.', 'For example: palimpsest run "What is a palimpsest?"');
  const interrupts = new Interrupts();
  try {
    await withRuntime(options, async (runtime) => {
      const session = await runtime.openSession(options.session === undefined ? {} : { id: options.session });
      const told = runtime.notices.length;
      for (const notice of runtime.notices) warn(notice);
      try {
        await turn(session, prompt, { signal: interrupts.signal, asJson: options.json === true });
      } finally {
        await session.close();
        for (const notice of runtime.notices.slice(told)) warn(notice);
      }
    });
  } finally {
    interrupts.stop();
    if (interrupts.exitCode !== null) process.exitCode = interrupts.exitCode;
  }
}

interface Ask {
  readonly signal: AbortSignal;
  readonly asJson: boolean;
}

/** A turn may go on by itself after it was cut: what is counted is all that it did. */
async function turn(session: Session, prompt: string, { signal, asJson }: Ask): Promise<void> {
  const sent = session.send(prompt, { signal });
  const answer = new AnswerWriter((text) => {
    if (!asJson) out(text);
  });
  let unfinished = '';
  try {
    for await (const part of sent) {
      if (part.type === 'text-delta') {
        answer.say(part.text);
        unfinished += part.text;
      } else if (part.type === 'event' && part.name === 'entry.appended' && part.entry.kind === 'step') {
        answer.endLine();
        if (part.entry.outcome.kind === 'reply') unfinished = '';
      }
    }
  } finally {
    answer.endLine();
  }
  const { ended, steps, ...result } = await sent.result;
  if (asJson) json({ session: session.id, ...result, ended, steps, ...(unfinished === '' ? {} : { unfinished }) });
  else line(`[${session.id}: ${ended}, ${counted(steps, 'step')}]`);
  if (ended === 'aborted') process.exitCode = 1;
}
