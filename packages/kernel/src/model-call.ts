import { DEEPEST, isTooDeep, messageOf } from '@palimpsest/contracts';
import type { Answer, Clock, Delta, Model, ModelRequest } from '@palimpsest/contracts';
import { handedOut } from './frozen.ts';

type CallOptions = Parameters<Model['call']>[1];

/** A model that hears the signal closes its stream and hands over what it has well within this; one that does not is not waited for. */
const ABORT_GRACE_MS = 250;

/** Levels of a message above the arguments of a call in it: the message, its content, the part. */
const ABOVE_ARGUMENTS = 3;

/** Calls the model. A host's model that rejects all the same has failed; one that outlives an abort is left alone with its answer. */
export async function askModel(model: Model, clock: Clock, request: ModelRequest, call: CallOptions): Promise<Answer> {
  if (call.signal.aborted) return { kind: 'aborted' };
  const heard = new Hearing(call);
  const silence = new SilenceAfter(call.signal, clock);
  try {
    return await Promise.race([answered(model, request, heard.options), silence.over.then(() => heard.given)]);
  } finally {
    heard.open = false;
    silence.stop();
  }
}

async function answered(model: Model, request: ModelRequest, call: CallOptions): Promise<Answer> {
  try {
    const answer = await model.call(handedOut(request), call);
    // Everything that is done with it from here on would break on it.
    return answer.kind === 'reply' && isTooDeep(answer.message, DEEPEST + ABOVE_ARGUMENTS)
      ? { kind: 'failed', fault: { kind: 'unknown', message: `the reply is nested deeper than ${String(DEEPEST)} levels` } }
      : answer;
  } catch (error) {
    return call.signal.aborted ? { kind: 'aborted' } : { kind: 'failed', fault: { kind: 'unknown', message: messageOf(error) } };
  }
}

/** The grace after an abort. Nearly every call ends without one, and then costs no more than a listener. */
class SilenceAfter {
  /** Resolves when the grace is over; never, once stopped. */
  readonly over: Promise<void>;
  private waiting: AbortController | null = null;
  private readonly abort: AbortSignal;
  private begin: () => void = () => undefined;

  constructor(abort: AbortSignal, clock: Clock) {
    this.abort = abort;
    this.over = new Promise((resolve) => {
      this.begin = (): void => {
        this.waiting = new AbortController();
        clock.sleep(ABORT_GRACE_MS, this.waiting.signal).then(resolve, () => undefined);
      };
    });
    abort.addEventListener('abort', this.begin, { once: true });
  }

  stop(): void {
    this.abort.removeEventListener('abort', this.begin);
    this.waiting?.abort();
  }
}

/** Passes deltas on while the call lasts, and keeps the text: all there is of an answer that never comes. */
class Hearing {
  open = true;
  readonly options: CallOptions;
  private text = '';

  constructor(call: CallOptions) {
    const { onDelta } = call;
    this.options =
      onDelta === undefined
        ? call
        : {
            ...call,
            onDelta: (delta) => {
              this.hear(delta, onDelta);
            },
          };
  }

  get given(): Answer {
    return { kind: 'aborted', ...(this.text === '' ? {} : { partial: this.text }) };
  }

  private hear(delta: Delta, onDelta: (delta: Delta) => void): void {
    if (!this.open) return;
    if (delta.type === 'text-delta') this.text += delta.text;
    onDelta(delta);
  }
}
