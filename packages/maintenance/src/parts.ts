/** The pieces of shown messages that a reduction can show as another text. Pure. */
import { callsOf, isShownEntry } from '@palimpsest/contracts';
import type {
  AssistantMessage,
  EntryId,
  Json,
  Message,
  Placed,
  ReductionItem,
  Shown,
  ToolMessage,
  ToolOutput,
} from '@palimpsest/contracts';
import { itemsInForce, messageIn } from './bundles.ts';

/** One result, one call's arguments, or the whole text of a message. */
export interface Part {
  readonly target: ReductionItem['target'];
  /** Position in `shown()`. */
  readonly at: number;
  readonly entry: EntryId;
  readonly group: EntryId;
  /** The call id; null for a text. */
  readonly part: string | null;
  readonly role: Message['role'];
  readonly tool: string | null;
  /** Arguments of the call, for a result and for a call. */
  readonly input: Json;
  /** The original, as text. */
  readonly original: string;
  /** What is shown of it now. */
  readonly current: string;
  readonly inForce: ReductionItem | null;
  readonly failed: boolean;
  /** Its share of what the entry costs now. */
  readonly tokens: number;
}

type Bare = Pick<Part, 'target' | 'part' | 'tool' | 'input' | 'original' | 'failed'>;
interface Asked {
  readonly tool: string;
  readonly input: Json;
}

/** All parts of all shown messages, in order. */
export function partsOf(shown: readonly Shown[]): readonly Part[] {
  const asked = new Map<EntryId, ReadonlyMap<string, Asked>>();
  return shown.flatMap((block, at) => {
    if (!isShownEntry(block)) return [];
    const message = messageIn(block.placed);
    if (message === null) return [];
    if (message.role === 'assistant') asked.set(block.placed.entry.id, callsById(message));
    return placedParts(block.placed, message, at, bareParts(message, asked.get(block.placed.group) ?? new Map()));
  });
}

function bareParts(message: Message, asked: ReadonlyMap<string, Asked>): readonly Bare[] {
  if (message.role === 'tool') return resultParts(message, asked);
  if (message.role === 'assistant') return [...textParts(message), ...callParts(message)];
  return [{ target: 'text', part: null, tool: null, input: null, original: textOfUser(message), failed: false }];
}

function placedParts(placed: Placed, message: Message, at: number, bare: readonly Bare[]): readonly Part[] {
  const items = itemsInForce(placed);
  const found = bare.map((one) => {
    const inForce = items.find((item) => item.target === one.target && item.part === one.part) ?? null;
    return { ...one, inForce, current: inForce?.text ?? one.original };
  });
  const characters = found.reduce((sum, { current }) => sum + current.length, 0);
  return found.map((one) => ({
    ...one,
    at,
    entry: placed.entry.id,
    group: placed.group,
    role: message.role,
    tokens: Math.round((placed.shownTokens * one.current.length) / Math.max(1, characters)),
  }));
}

/** Ids that occur twice in one message are left out: a reduction could not tell the two apart. */
function callParts(message: AssistantMessage): readonly Bare[] {
  const calls = callsOf(message);
  const unique = calls.filter((call) => calls.filter(({ id }) => id === call.id).length === 1);
  return unique.map(({ id, name, input }) => ({
    target: 'arguments',
    part: id,
    tool: name,
    input,
    original: JSON.stringify(input),
    failed: false,
  }));
}

function textParts(message: AssistantMessage): readonly Bare[] {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return text === '' ? [] : [{ target: 'text', part: null, tool: null, input: null, original: text, failed: false }];
}

/** Results that share an id within one message are one part: they are shown as the same text. */
function resultParts(message: ToolMessage, asked: ReadonlyMap<string, Asked>): readonly Bare[] {
  const byId = new Map<string, Bare>();
  for (const { toolCallId, toolName, output } of message.content) {
    const before = byId.get(toolCallId);
    const original = before === undefined ? textOfOutput(output) : `${before.original}\n\n${textOfOutput(output)}`;
    const failed = output.type === 'error-text' || output.type === 'error-json';
    byId.set(toolCallId, {
      target: 'result',
      part: toolCallId,
      tool: toolName,
      input: asked.get(toolCallId)?.input ?? null,
      original,
      failed: failed || before?.failed === true,
    });
  }
  return [...byId.values()];
}

function callsById(message: AssistantMessage): ReadonlyMap<string, Asked> {
  return new Map(
    message.content.flatMap((part) =>
      part.type === 'tool-call' ? [[part.toolCallId, { tool: part.toolName, input: part.input }] as const] : [],
    ),
  );
}

function textOfUser(message: Message & { role: 'user' }): string {
  return message.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '[image]' : `[file ${part.filename ?? part.mediaType}]`))
    .join('\n\n');
}

export function textOfOutput(output: ToolOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'json' || output.type === 'error-json') return JSON.stringify(output.value);
  return output.value.map((item) => (item.type === 'text' ? item.text : `[image ${item.mediaType}]`)).join('\n');
}
