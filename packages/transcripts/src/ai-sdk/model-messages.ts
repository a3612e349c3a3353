/** Messages with `content`: what is sent to models, and the UI messages of v4. */
import type { AssistantPart, Json, UserPart } from '@palimpsest/contracts';
import { keptData } from '../kept.ts';
import { has, isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, skip, type Step } from '../steps.ts';
import { bareOutput, contentOutput, deniedText, filePart, outputOf } from './media.ts';
import { thoughtOptions } from './reasoning.ts';
import { Turn } from './turn.ts';

export const blocksOf = (content: Json | undefined): JsonObject[] =>
  (typeof content === 'string' ? [{ type: 'text', text: content }] : (listOf(content) ?? [])).map((one) =>
    typeof one === 'string' ? { type: 'text', text: one } : (objectOf(one) ?? {}),
  );

export interface Said {
  readonly content: UserPart[];
  readonly kept: Json[];
  readonly notes: Step[];
}

/** Parts of a user message; what the model never saw is kept apart. */
export function userParts(parts: readonly JsonObject[]): Said {
  const said: Said = { content: [], kept: [], notes: [] };
  for (const part of parts) {
    const type = nameOf(part['type']) ?? '';
    const text = type === 'text' ? textOf(part['text']) : null;
    const file = type === 'file' || type === 'image' ? filePart(part) : null;
    if (text !== null) said.content.push(...(isBlank(text) ? [] : [{ type: 'text' as const, text }]));
    else if (file !== null) said.content.push(file);
    else if (isScreenOnly(type)) said.kept.push(part);
    else {
      said.notes.push(note('unknown-block'));
      said.content.push({ type: 'text', text: stringify(part) });
    }
  }
  return said;
}
export const isScreenOnly = (type: string): boolean => /^(?:data-|source(?:$|-)|step-start$|custom$)/u.test(type);

export function userSteps(parts: readonly JsonObject[]): readonly Step[] {
  const { content, kept, notes } = userParts(parts);
  const data: Step[] = kept.length === 0 ? [] : [keptData('ai-sdk', 'parts', kept)];
  if (content.length === 0) return data.length > 0 ? data : [skip('empty-user')];
  const images = content.filter((part) => part.type === 'image').length;
  return [...notes, { do: 'user', origin: 'user_input', content, images, by: images === content.length ? 'image' : 'typed' }, ...data];
}

export function assistantSteps(message: JsonObject, at: number): readonly Step[] {
  const turn = new Turn();
  const reasoning = nameOf(message['reasoning']);
  if (reasoning !== null) turn.reason({ type: 'reasoning', text: reasoning });
  for (const [index, part] of blocksOf(message['content']).entries()) takePart(turn, part, `call-${String(at)}-${String(index)}`);
  const earlier = invocationSteps(message, at);
  for (const attached of attachmentsOf(message)) takeFile(turn, attached);
  return [...earlier, ...turn.steps('ai-sdk', earlier.length === 0)];
}

export const attachmentsOf = (message: JsonObject): JsonObject[] =>
  (listOf(message['experimental_attachments']) ?? []).map((one) => ({ type: 'file', ...objectOf(one) }));

export function takePart(turn: Turn, part: JsonObject, fallbackId: string): void {
  const type = nameOf(part['type']) ?? '';
  if (type === 'text') turn.push(...textParts(part));
  else if (type === 'reasoning' || type === 'redacted-reasoning') turn.reason(part);
  else if (type === 'file' || type === 'image' || type === 'reasoning-file') takeFile(turn, part);
  else if (type === 'tool-call') turn.call(callPart(part, fallbackId), part['providerExecuted'] === true);
  else if (type === 'tool-result') takeResult(turn, part);
  else if (type === 'tool-approval-request') turn.kept.push(part);
  else if (type === 'custom' && nameOf(part['kind']) !== null) turn.push(customPart(part, String(part['kind'])));
  else if (isScreenOnly(type)) turn.kept.push(part);
  else {
    turn.before.push(note('unknown-block'));
    turn.push({ type: 'opaque', provider: 'ai-sdk', format: type === '' ? 'unknown' : type, bytes: stringify(part) });
  }
}

const textParts = (part: JsonObject): AssistantPart[] => {
  const text = textOf(part['text']) ?? '';
  return isBlank(text) ? [] : [{ type: 'text', text, ...thoughtOptions(part) }];
};

export function takeFile(turn: Turn, part: JsonObject): void {
  const file = filePart(part);
  if (file === null) turn.kept.push(part);
  else if (file.type !== 'image') turn.push(file);
  else {
    turn.images++;
    turn.push({ type: 'file', data: file.image, mediaType: file.mediaType ?? 'image/png' });
  }
}

export function callPart(part: JsonObject, fallbackId: string): Extract<AssistantPart, { type: 'tool-call' }> {
  return {
    type: 'tool-call',
    toolCallId: nameOf(part['toolCallId']) ?? fallbackId,
    toolName: nameOf(part['toolName']) ?? 'unknown',
    input: part['input'] ?? part['args'] ?? {},
    ...thoughtOptions(part),
  };
}

const customPart = (part: JsonObject, kind: string): AssistantPart => {
  const [provider = kind, ...rest] = kind.split('.');
  return { type: 'opaque', provider, format: rest.length === 0 ? kind : rest.join('.'), bytes: stringify(part) };
};

/** v4 results are bare, with their own flag for a failure and content beside them. */
export function resultOf(part: JsonObject): ReturnType<typeof outputOf> {
  if (has(part, 'output')) return outputOf(part['output']);
  const content = listOf(part['experimental_content']);
  if (content !== null) return contentOutput(content);
  return { output: bareOutput(part['result'], part['isError'] === true), images: 0 };
}

function takeResult(turn: Turn, part: JsonObject): void {
  const { output, images } = resultOf(part);
  turn.answer(textOf(part['toolCallId']) ?? '', output, images);
}

/** `refusalOf`: by approval, the refused call, when it has no result of its own; then it gets one that says so. */
export function toolSteps(message: JsonObject, refusalOf: (approvalId: string) => string | null): readonly Step[] {
  const steps = blocksOf(message['content']).flatMap((part): Step[] => {
    if (part['type'] === 'tool-result') return [{ do: 'result', callId: textOf(part['toolCallId']) ?? '', ...resultOf(part) }];
    if (part['type'] !== 'tool-approval-response') return [note('unknown-block'), keptData('ai-sdk', 'tool-part', part)];
    const callId = part['approved'] === false ? refusalOf(textOf(part['approvalId']) ?? '') : null;
    const kept = keptData('ai-sdk', 'tool-approval-response', part);
    if (callId === null) return [kept];
    return [kept, { do: 'result', callId, output: { type: 'error-text', value: deniedText(part['reason']) }, images: 0, made: true }];
  });
  return steps.length === 0 ? [skip('malformed', 'no content')] : steps;
}

/** v4 UI messages: calls and results in `toolInvocations`, one message of ours per step, before the text. */
function invocationSteps(message: JsonObject, at: number): Step[] {
  const invocations = (listOf(message['toolInvocations']) ?? []).map(objectOf).filter((one) => one !== null);
  const numbers = [...new Set(invocations.map((one) => Number(one['step'] ?? 0)))].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const turn = new Turn();
    for (const [index, one] of invocations.entries())
      if (Number(one['step'] ?? 0) === number) takeInvocation(turn, one, `call-${String(at)}-t${String(index)}`);
    return turn.steps('ai-sdk', false);
  });
}

/** `partial-call`: the input may be half, so there is no call. */
export function takeInvocation(turn: Turn, invocation: JsonObject, fallbackId: string): void {
  const call = callPart(invocation, fallbackId);
  if (invocation['state'] === 'partial-call') {
    turn.before.push(skip('incomplete-call', call.toolCallId));
    return;
  }
  turn.call(call, false);
  if (invocation['state'] !== 'result') return;
  const { output, images } = resultOf(invocation);
  turn.answer(call.toolCallId, output, images);
}
