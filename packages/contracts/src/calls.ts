import type { Message } from './parts.ts';
import type { Call } from './request.ts';

/** The calls of a message that the host answers: the provider has answered its own. Pure. */
export function callsOf(message: Message): readonly Call[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  );
}

/** Call ids of the results in a message. Pure. */
export function resultIdsOf(message: Message): readonly string[] {
  return message.role === 'tool' ? message.content.map(({ toolCallId }) => toolCallId) : [];
}

/** The calls that no result answers. Ids repeat in real sessions: a result answers one call. Pure. */
export function unanswered(calls: readonly Call[], resultIds: readonly string[]): readonly Call[] {
  const left = [...resultIds];
  return calls.filter(({ id }) => {
    const at = left.indexOf(id);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
