import type { AssistantMessage, Json, Message, ToolMessage, ToolResultPart } from '../parts.ts';
import type { ReductionItem } from './entry.ts';

/**
 * The message as it is shown once these reductions of its entry are in force. Pure; pairing and tool names are untouched, and
 * an error stays an error. The one definition of what a reduction does: the renderer shows it, maintenance counts it.
 */
export function reducedMessage(message: Message, items: readonly ReductionItem[]): Message {
  const whole = items.find((item) => item.target === 'text');
  if (message.role === 'user') return whole === undefined ? message : { role: 'user', content: [{ type: 'text', text: whole.text }] };
  return message.role === 'tool' ? reducedResults(message, items) : reducedCalls(message, items, whole);
}

function reducedResults(message: ToolMessage, items: readonly ReductionItem[]): ToolMessage {
  const texts = new Map(items.filter((item) => item.target === 'result').map((item) => [item.part, item.text]));
  return { role: 'tool', content: message.content.map((part) => shortened(part, texts.get(part.toolCallId) ?? texts.get(null))) };
}

function shortened(part: ToolResultPart, text: string | undefined): ToolResultPart {
  if (text === undefined) return part;
  const failed = part.output.type === 'error-text' || part.output.type === 'error-json';
  return { ...part, output: { type: failed ? 'error-text' : 'text', value: text } };
}

function reducedCalls(message: AssistantMessage, items: readonly ReductionItem[], whole: ReductionItem | undefined): AssistantMessage {
  const inputs = new Map(items.filter((item) => item.target === 'arguments').map((item) => [item.part, item.text]));
  const content = message.content.flatMap((part): AssistantMessage['content'] => {
    if (part.type === 'text' && whole !== undefined) return [];
    const text = part.type === 'tool-call' ? inputs.get(part.toolCallId) : undefined;
    return part.type === 'tool-call' && text !== undefined ? [{ ...part, input: argumentsOf(text) }] : [part];
  });
  return { role: 'assistant', content: whole === undefined ? content : [{ type: 'text', text: whole.text }, ...content] };
}

/** Shortened arguments are JSON text; anything else is kept as a note, so that the request stays valid. */
function argumentsOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { _shortened: text };
  }
}
