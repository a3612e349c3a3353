/** Content of Goose's messages as parts, results and what is kept. */
import type { AssistantPart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { contentPart, textOutput } from '../anthropic/media.ts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, type ResultStep, type Step } from '../steps.ts';

export interface Gathered {
  readonly user: UserPart[];
  readonly parts: AssistantPart[];
  readonly results: ResultStep[];
  readonly kept: Json[];
  readonly notes: Step[];
  /** Marks of compactions as old versions wrote them. */
  readonly marks: Json[];
  thinking: number;
  signed: number;
  images: number;
}

export function gather(message: JsonObject, at: number): Gathered {
  const found: Gathered = { user: [], parts: [], results: [], kept: [], notes: [], marks: [], thinking: 0, signed: 0, images: 0 };
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (listOf(content) ?? []);
  for (const [index, one] of blocks.entries()) {
    const block = objectOf(one) ?? {};
    (table.get(nameOf(block['type']) ?? '') ?? unknown)(found, block, `call-${String(at)}-${String(index)}`);
  }
  return found;
}

type Rule = (found: Gathered, block: JsonObject, fallbackId: string) => void;

const text: Rule = (found, block) => {
  const said = textOf(block['text']) ?? '';
  if (isBlank(said)) return;
  found.user.push({ type: 'text', text: said });
  found.parts.push({ type: 'text', text: said });
};

const imagePart = (block: JsonObject): Extract<UserPart, { type: 'image' }> => ({
  type: 'image',
  image: textOf(block['data']) ?? '',
  mediaType: nameOf(block['mimeType']) ?? nameOf(block['mime_type']) ?? 'image/png',
});
const image: Rule = (found, block) => {
  const part = imagePart(block);
  found.images++;
  found.user.push(part);
  found.parts.push({ type: 'file', data: part.image, mediaType: part.mediaType ?? 'image/png' });
};

/** A request that could not be read keeps what was wrong with it as its input. */
const toolRequest: Rule = (found, block, fallbackId) => {
  const call = objectOf(block['toolCall']) ?? {};
  const value = objectOf(call['value']) ?? (call['status'] === undefined ? call : {});
  const failed = call['status'] === 'error';
  const signature = nameOf(block['thoughtSignature']) ?? nameOf(objectOf(block['metadata'])?.['thoughtSignature']);
  found.parts.push({
    type: 'tool-call',
    toolCallId: nameOf(block['id']) ?? fallbackId,
    toolName: nameOf(value['name']) ?? 'unknown',
    input: failed ? (textOf(call['error']) ?? stringify(call)) : (value['arguments'] ?? {}),
    ...(signature === null ? {} : { providerOptions: { google: { thoughtSignature: signature } } }),
  });
};

const toolResponse: Rule = (found, block) => {
  const { output, images, notes } = outputOf(objectOf(block['toolResult']) ?? {});
  found.notes.push(...notes);
  found.results.push({ do: 'result', callId: textOf(block['id']) ?? '', output, images });
};

interface Output {
  readonly output: ToolOutput;
  readonly images: number;
  readonly notes: Step[];
}
/** `value` is `{content, isError}`; older it is the list itself. */
function outputOf(result: JsonObject): Output {
  if (result['status'] === 'error')
    return { output: textOutput(textOf(result['error']) ?? stringify(result['error'] ?? ''), true), images: 0, notes: [] };
  const value = objectOf(result['value']);
  const list = listOf(value?.['content']) ?? listOf(result['value']);
  const failed = value?.['isError'] === true;
  if (list === null)
    return { output: textOutput(textOf(result['value']) ?? stringify(result['value'] ?? ''), failed), images: 0, notes: [] };
  const notes: Step[] = [];
  const parts = list.map((one) => resultPart(objectOf(one) ?? {}, notes));
  const images = parts.filter((part) => part.type === 'image').length;
  if (images > 0) return { output: { type: 'content', value: parts.map(contentPart) }, images, notes };
  return { output: textOutput(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), failed), images, notes };
}

function resultPart(block: JsonObject, notes: Step[]): UserPart {
  if (block['type'] === 'text') return { type: 'text', text: textOf(block['text']) ?? '' };
  if (block['type'] === 'image') return imagePart(block);
  const resource = objectOf(block['resource']);
  if (resource !== null) return { type: 'text', text: textOf(resource['text']) ?? `[resource ${nameOf(resource['uri']) ?? ''}]` };
  notes.push(note('unknown-block'));
  return { type: 'text', text: stringify(block) };
}

const opaque = (format: string, block: JsonObject): AssistantPart => ({
  type: 'opaque',
  provider: 'anthropic',
  format,
  bytes: stringify(block),
});

/** The block as its provider wrote it. */
const thinking: Rule = (found, block) => {
  const said = textOf(block['thinking']) ?? '';
  const signature = nameOf(block['signature']);
  if (said === '' && signature === null) return;
  found.thinking++;
  if (said !== '') found.parts.push({ type: 'reasoning', text: said });
  if (signature === null) return;
  found.signed++;
  found.parts.push(opaque('thinking', { type: 'thinking', thinking: said, signature }));
};
const redactedThinking: Rule = (found, block) => {
  found.thinking++;
  found.signed++;
  found.parts.push(opaque('redacted_thinking', { type: 'redacted_thinking', data: textOf(block['data']) ?? '' }));
};

const kept: Rule = (found, block) => void found.kept.push(block);
const mark: Rule = (found, block) => void found.marks.push(block);
const unknown: Rule = (found, block) => {
  found.notes.push(note('unknown-block'));
  found.kept.push(block);
};

const table: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['text', text],
  ['image', image],
  ['toolRequest', toolRequest],
  ['frontendToolRequest', toolRequest],
  ['toolResponse', toolResponse],
  ['thinking', thinking],
  ['redactedThinking', redactedThinking],
  ['toolConfirmationRequest', kept],
  ['actionRequired', kept],
  ['systemNotification', kept],
  ['conversationCompacted', mark],
  ['summarizationRequested', mark],
]);
