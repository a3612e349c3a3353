import { callsOf, resultIdsOf, unanswered } from '@palimpsest/contracts';
import type { Call, Message, ModelRequest } from '@palimpsest/contracts';

/** What a strict provider would refuse in this request; empty: nothing. Pure. */
export function requestFaults(request: ModelRequest): readonly string[] {
  const faults = request.messages.flatMap((message, at) => (isEmpty(message) ? [`message ${String(at)} is empty`] : []));
  if (request.messages[0]?.role !== 'user') faults.push("the first message is not the user's");
  return [...faults, ...repeatedIds(request.messages), ...pairFaults(request.messages)];
}

/** Every call has an id of its own in the whole request, a call that the provider ran too. */
function repeatedIds(messages: readonly Message[]): readonly string[] {
  const seen = new Set<string>();
  return messages.flatMap((message, at) =>
    (message.role === 'assistant' ? message.content : []).flatMap((part) => {
      if (part.type !== 'tool-call') return [];
      const isRepeated = seen.has(part.toolCallId);
      seen.add(part.toolCallId);
      return isRepeated ? [`message ${String(at)}: the id of call ${part.toolCallId} is that of an earlier call`] : [];
    }),
  );
}

/** Every call answered directly behind the message that asked, every result asked for. */
export function pairFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  let open: readonly Call[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      for (const id of resultIdsOf(message)) {
        const left = unanswered(open, [id]);
        if (left.length === open.length) faults.push(`message ${String(at)}: result ${id} has no call`);
        open = left;
      }
      continue;
    }
    if (open.length > 0) faults.push(`message ${String(at)}: calls ${idsIn(open)} are unanswered`);
    open = callsOf(message);
  }
  return open.length > 0 ? [...faults, `calls ${idsIn(open)} are unanswered at the end`] : faults;
}

function idsIn(calls: readonly Call[]): string {
  return calls.map(({ id }) => id).join(', ');
}

function isEmpty(message: Message): boolean {
  return message.content.length === 0 || message.content.some((part) => part.type === 'text' && part.text.trim() === '');
}
