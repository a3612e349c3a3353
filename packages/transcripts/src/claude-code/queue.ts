/**
 * Text typed while the agent works. It is first in, first out; what `remove` takes out was shown to the model in mid-turn
 * and may stand in no other record. Whether it does is only known at the end of the file.
 */
export type QueueEvent =
  | { readonly kind: 'enqueue'; readonly record: number; readonly text: string }
  | { readonly kind: 'dequeue' }
  | { readonly kind: 'popAll' }
  | { readonly kind: 'remove'; readonly record: number; readonly text: string | null }
  /** A user record or a queued_command attachment with this exact text. */
  | { readonly kind: 'delivered'; readonly text: string };

interface Waiting {
  readonly record: number;
  readonly text: string;
}

/** By the record of a `remove`, the record of the enqueue whose text becomes a message there. */
export function shownInMidTurn(events: readonly QueueEvent[]): ReadonlyMap<number, number> {
  const delivered = deliveries(events);
  const shown = new Map<number, number>();
  let queue: Waiting[] = [];
  for (const [index, event] of events.entries()) {
    if (event.kind === 'enqueue') queue.push(event);
    else if (event.kind === 'popAll') queue = [];
    else if (event.kind === 'dequeue') queue.shift();
    else if (event.kind === 'delivered') queue = queue.filter((one) => delivered.get(one.record) !== index);
    else {
      const taken = take(queue, event.text, delivered);
      if (taken !== undefined && taken.text.trim() !== '' && !delivered.has(taken.record)) shown.set(event.record, taken.record);
    }
  }
  return shown;
}

/** By enqueue record, the index of the event that delivers its text. Each delivery serves the oldest one waiting. */
function deliveries(events: readonly QueueEvent[]): ReadonlyMap<number, number> {
  const waiting = new Map<string, number[]>();
  const delivered = new Map<number, number>();
  for (const [index, event] of events.entries()) {
    if (event.kind === 'enqueue') waiting.set(event.text, [...(waiting.get(event.text) ?? []), event.record]);
    if (event.kind !== 'delivered') continue;
    const record = waiting.get(event.text)?.shift();
    if (record !== undefined) delivered.set(record, index);
  }
  return delivered;
}

/** The named text, or the head. A head that is delivered later without any operation is passed over when another waits behind it. */
function take(queue: Waiting[], text: string | null, delivered: ReadonlyMap<number, number>): Waiting | undefined {
  const named = text === null ? -1 : queue.findIndex((one) => one.text === text);
  const undelivered = queue.findIndex((one) => !delivered.has(one.record));
  const [taken] = queue.splice(named !== -1 ? named : undelivered !== -1 && text === null ? undelivered : 0, 1);
  return taken;
}
