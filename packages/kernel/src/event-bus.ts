import type { EventMap, EventName, Events, PalimpsestEvent } from '@palimpsest/contracts';

/** Events in order, at once. A fault of an observer stays with the observer. */
export class EventBus implements Events {
  private readonly seen = new Set<(event: PalimpsestEvent) => void>();

  emit<N extends EventName>(name: N, event: EventMap[N]): void {
    const named = { name, ...event } as PalimpsestEvent;
    for (const observer of [...this.seen]) quietly(observer, named);
  }

  on<N extends EventName>(name: N, seen: (event: EventMap[N]) => void): () => void {
    return this.onAny((event) => (event.name === name ? seen(event as unknown as EventMap[N]) : undefined));
  }

  onAny(seen: (event: PalimpsestEvent) => void): () => void {
    this.seen.add(seen);
    return () => void this.seen.delete(seen);
  }
}

function quietly(observer: (event: PalimpsestEvent) => void, event: PalimpsestEvent): void {
  try {
    const answer: unknown = observer(event);
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch {
    // observers change nothing, and their faults are never felt by the turn
  }
}
