import { deepFrozen } from '@palimpsest/contracts';
import type { ModelRequest } from '@palimpsest/contracts';

const frozen = new WeakSet();

/** A request on its way to code of others: it shares its messages with the log, and what is recorded of it afterwards is what was sent. */
export function handedOut(request: ModelRequest): ModelRequest {
  for (const message of request.messages) frozenOnce(message);
  for (const tool of request.tools) frozenOnce(tool);
  Object.freeze(request.messages);
  deepFrozen(request.settings);
  return Object.freeze(request);
}

/** The same, remembered: what is handed out again and again is walked once. For what belongs to the log and nobody may write to. */
export function frozenOnce<T extends object>(value: T): T {
  if (frozen.has(value)) return value;
  frozen.add(value);
  return deepFrozen(value);
}
