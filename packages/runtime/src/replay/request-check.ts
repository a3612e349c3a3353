import type { AssistantMessage, Message, ModelRequest } from '@palimpsest/contracts';

/** What a strict provider would refuse in this request; empty: nothing. Pure. */
export function requestFaults(request: ModelRequest): readonly string[] {
  const faults = request.messages.flatMap((message, at) => (isEmpty(message) ? [`message ${String(at)} is empty`] : []));
  if (request.messages[0]?.role !== 'user') faults.push('the first message is not the user\'s');
  return [...faults, ...pairFaults(request.messages)];
}

/** Every call answered directly behind the message that asked, every result asked for. */
export function pairFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      for (const { toolCallId } of message.content) if (!take(open, toolCallId)) faults.push(`message ${String(at)}: result ${toolCallId} has no call`);
      continue;
    }
    if (open.length > 0) faults.push(`message ${String(at)}: calls ${open.join(', ')} are unanswered`);
    open = message.role === 'assistant' ? callIds(message) : [];
  }
  return open.length > 0 ? [...faults, `calls ${open.join(', ')} are unanswered at the end`] : faults;
}

function callIds(message: AssistantMessage): string[] {
  return message.content.flatMap((part) => (part.type === 'tool-call' && part.providerExecuted !== true ? [part.toolCallId] : []));
}

function isEmpty(message: Message): boolean {
  return message.content.length === 0 || message.content.some((part) => part.type === 'text' && part.text.trim() === '');
}

function take(ids: string[], id: string): boolean {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
  return at >= 0;
}
