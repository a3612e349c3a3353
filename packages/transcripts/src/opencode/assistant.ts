/** Assistant messages: steps, tools with their states, summaries, failed replies. */
import type { AssistantPart, Json, ToolOutput, Usage } from '@palimpsest/contracts';
import type { ContentPart } from '../anthropic/media.ts';
import { contentPart } from '../anthropic/media.ts';
import { filePart } from '../ai-sdk/media.ts';
import { Turn } from '../ai-sdk/turn.ts';
import { keptData, keptReply, keptUser } from '../kept.ts';
import { countOf, isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { skip, type Step } from '../steps.ts';

export const partsOf = (message: JsonObject): JsonObject[] =>
  (listOf(message['parts']) ?? []).map(objectOf).filter((part) => part !== null);
export const infoOf = (message: JsonObject): JsonObject => objectOf(message['info']) ?? {};
const errorOf = (info: JsonObject): JsonObject | null => objectOf(info['error']);

/** A summary that failed is none. */
export const isSummary = (info: JsonObject): boolean =>
  info['role'] === 'assistant' &&
  info['summary'] === true &&
  errorOf(info) === null &&
  (has(info['finish']) || has(objectOf(info['time'])?.['completed']));
const has = (value: Json | undefined): boolean => value !== undefined && value !== null;

export function assistantSteps(info: JsonObject, parts: readonly JsonObject[], at: number): readonly Step[] {
  const error = errorOf(info);
  if (isSummary(info)) return summarySteps(parts, at);
  const turns = turnsOf(parts, at);
  const alone = turns.every((turn) => turn.isEmpty);
  if (error !== null && !alone && error['name'] !== 'MessageAbortedError') return failedSteps(turns, parts, error, at);
  giveUsage(turns, info);
  const finish = error === null ? null : ('other' as const);
  const steps = turns.flatMap((turn) => turn.steps('opencode', false));
  const all =
    steps.some((step) => step.do === 'assistant') || !alone || steps.some((step) => step.do === 'hidden')
      ? steps
      : [...steps, emptyStep(error)];
  return all.map((step) => (step.do === 'assistant' && finish !== null ? { ...step, finish } : step));
}

const emptyStep = (error: JsonObject | null): Step => ({
  do: 'assistant',
  key: null,
  parts: [],
  thinking: 0,
  signed: 0,
  usage: null,
  finish: null,
  empty: { error },
});

function summarySteps(parts: readonly JsonObject[], at: number): readonly Step[] {
  const text = parts.flatMap((part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : [])).join('\n');
  return [keptUser('opencode', at, 'handoff', isBlank(text) ? [] : [{ type: 'text', text }])];
}

/** The client never sends it again: readable parts stay, calls and all the rest as data. */
function failedSteps(turns: readonly Turn[], parts: readonly JsonObject[], error: JsonObject, at: number): readonly Step[] {
  const readable = turns
    .flatMap((turn) => turn.parts)
    .filter((part): part is AssistantPart => part.type === 'text' || part.type === 'reasoning');
  return [keptReply('opencode', at, readable), keptData('opencode', 'failed-reply', { error, parts: [...parts] })];
}

function turnsOf(parts: readonly JsonObject[], at: number): Turn[] {
  const turns = [new Turn()];
  for (const [index, part] of parts.entries()) {
    if (part['type'] === 'step-start' && turns.at(-1)?.isEmpty === false) turns.push(new Turn());
    take(turns.at(-1) ?? new Turn(), part, `call-${String(at)}-${String(index)}`);
  }
  return turns;
}

function take(turn: Turn, part: JsonObject, fallbackId: string): void {
  switch (part['type']) {
    case 'text':
      return takeText(turn, part);
    case 'reasoning':
      return turn.reason(part);
    case 'tool':
      return takeTool(turn, part, fallbackId);
    case 'file':
      return takeFile(turn, part);
    case 'step-start':
      return;
    case 'step-finish':
      turn.usage = sum(turn.usage, usageOf(objectOf(part['tokens']) ?? {}));
      return;
    case 'snapshot':
    case 'patch':
      turn.before.push(skip('undo-data', String(part['type'])));
      return;
    default:
      turn.kept.push(part);
  }
}

function takeText(turn: Turn, part: JsonObject): void {
  const text = textOf(part['text']) ?? '';
  if (part['ignored'] === true) turn.kept.push(part);
  else if (!isBlank(text)) turn.push({ type: 'text', text });
}

function takeFile(turn: Turn, part: JsonObject): void {
  const file = filePart(part);
  if (file === null || file.type === 'text') turn.kept.push(part);
  else if (file.type === 'file') turn.push(file);
  else turn.push({ type: 'file', data: file.image, mediaType: file.mediaType ?? 'image/png' });
}

function takeTool(turn: Turn, part: JsonObject, fallbackId: string): void {
  const toolCallId = nameOf(part['callID']) ?? fallbackId;
  const state = objectOf(part['state']) ?? {};
  turn.call({ type: 'tool-call', toolCallId, toolName: nameOf(part['tool']) ?? 'unknown', input: state['input'] ?? {} }, false);
  const found = outputOf(state);
  if (found !== null) turn.answer(toolCallId, found.output, found.images);
  // The model saw a placeholder from then on; here the text stays.
  if (has(objectOf(state['time'])?.['compacted'])) turn.reduced.push({ call: toolCallId, time: state['time'] ?? null });
}

/** Null: the call was left open. */
function outputOf(state: JsonObject): { readonly output: ToolOutput; readonly images: number } | null {
  if (state['status'] === 'completed')
    return completed(textOf(state['output']) ?? stringify(state['output'] ?? ''), listOf(state['attachments']) ?? []);
  if (state['status'] !== 'error') return null;
  const metadata = objectOf(state['metadata']);
  const said = metadata?.['interrupted'] === true ? nameOf(metadata['output']) : null;
  if (said !== null) return { output: { type: 'text', value: said }, images: 0 };
  return { output: { type: 'error-text', value: textOf(state['error']) ?? '' }, images: 0 };
}

function completed(text: string, attachments: readonly Json[]): { readonly output: ToolOutput; readonly images: number } {
  const files = attachments.flatMap((one) => filePart(objectOf(one) ?? {}) ?? []);
  if (files.length === 0) return { output: { type: 'text', value: text }, images: 0 };
  const value: ContentPart[] = [{ type: 'text', text }, ...files.map(contentPart)];
  return { output: { type: 'content', value }, images: value.filter((part) => part.type === 'image-data').length };
}

/** The message's own tokens are of its last step: they count only where no step has any. */
function giveUsage(turns: readonly Turn[], info: JsonObject): void {
  const tokens = objectOf(info['tokens']);
  const last = turns.findLast((turn) => !turn.isEmpty);
  if (tokens === null || last === undefined || turns.some((turn) => turn.usage !== null)) return;
  const usage = usageOf(tokens);
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0) last.usage = usage;
}

function usageOf(tokens: JsonObject): Usage {
  const cache = objectOf(tokens['cache']) ?? {};
  const reasoning = countOf(tokens['reasoning']);
  return {
    input: countOf(tokens['input']),
    output: countOf(tokens['output']) + reasoning,
    cacheRead: countOf(cache['read']),
    cacheWrite: countOf(cache['write']),
    reasoning,
  };
}
const sum = (one: Usage | null, other: Usage): Usage =>
  one === null
    ? other
    : {
        input: one.input + other.input,
        output: one.output + other.output,
        cacheRead: one.cacheRead + other.cacheRead,
        cacheWrite: one.cacheWrite + other.cacheWrite,
        reasoning: one.reasoning + other.reasoning,
      };
