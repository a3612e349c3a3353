/** Messages of Gemini CLI's own recording: a reply, its calls and their results are one record. */
import type { AssistantPart, Json, MessageBody, Usage, UserPart } from '@palimpsest/contracts';
import { countOf, isBlank, listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import { skip, type Step } from '../steps.ts';
import { assistantContent, isResponse, partsOf, toolOutput, userContent } from './content.ts';
import { isSnapshot, originOf } from './origins.ts';

export interface MessageContext {
  readonly at: number;
  /** Names calls that have no id of their own. */
  readonly name: string;
  /** Under which an earlier version of the message keeps its place. */
  readonly key: string | null;
  /** A text of the user's that stands at an earlier record than the one it is read from. */
  readonly elsewhere?: true;
}

export const isQuiet = (value: JsonObject): boolean => ['info', 'warning', 'error'].includes(nameOf(value['type']) ?? '');

export function userSteps(message: JsonObject, context: MessageContext): readonly Step[] {
  const parts = partsOf(message['content']);
  const results = parts.filter(isResponse).map((part) => responseStep(objectOf(objectOf(part)?.['functionResponse']) ?? {}, part));
  const { content, images, notes } = userContent(parts.filter((part) => !isResponse(part)));
  if (content.length === 0) return results.length > 0 ? results : [skip('empty-user')];
  if (content.some((part) => part.type === 'text' && isSnapshot(part.text))) return [...results, ...compactionSteps(content, context.at)];
  const origin = originOf(content);
  const by = content.every((part) => part.type === 'image') ? 'image' : 'typed';
  const moved = context.elsewhere === true ? { line: context.at, elsewhere: true as const } : {};
  return [...results, ...notes, { do: 'user', origin, content, images, by, ...moved }];
}

/** A response in a record of the user's: known by the call's id. */
function responseStep(response: JsonObject, part: Json): Step {
  const made = toolOutput([part], false);
  return {
    do: 'result',
    callId: nameOf(response['id']) ?? '',
    output: made?.output ?? { type: 'text', value: '' },
    images: made?.images ?? 0,
  };
}

/** A summary in place of older messages: the mark and its text, both hidden. */
export function compactionSteps(content: UserPart[], at: number): readonly Step[] {
  const handoff: MessageBody = {
    kind: 'message',
    origin: 'handoff',
    message: { role: 'user', content },
    hidden: true,
    source: { format: 'gemini-cli', line: at },
  };
  return [
    {
      do: 'hidden',
      body: { kind: 'compaction', by: 'gemini-cli', trigger: 'threshold', segments: [], tokensBefore: 0, tokensAfter: 0, hidden: true },
    },
    { do: 'hidden', body: handoff },
  ];
}

const ACKNOWLEDGED_CHARACTERS = 300;

/** The short answer that the client puts behind a summary or the environment text. */
export function acknowledgement(text: string, calls: number, at: number, origin: 'handoff' | 'notice'): Step | null {
  if (calls > 0 || text.length > ACKNOWLEDGED_CHARACTERS) return null;
  const content: AssistantPart[] = isBlank(text) ? [] : [{ type: 'text', text }];
  const body: MessageBody = {
    kind: 'message',
    origin,
    message: { role: 'assistant', content },
    hidden: true,
    source: { format: 'gemini-cli', line: at },
  };
  return { do: 'hidden', body };
}

export function replySteps(message: JsonObject, { name, key }: MessageContext): readonly Step[] {
  const calls = callsOf(message, name);
  const said = assistantContent(
    partsOf(message['content']).filter((part) => calls.length === 0 || objectOf(objectOf(part)?.['functionCall']) === null),
    (call, index) => nameOf(call['id']) ?? `${name}-part-${String(index)}`,
  );
  const thoughts = (listOf(message['thoughts']) ?? []).flatMap(thoughtPart);
  return [
    ...said.notes,
    {
      do: 'assistant',
      key,
      parts: [...thoughts, ...said.parts, ...calls.map((call) => call.part)],
      thinking: thoughts.length + said.thinking,
      signed: said.signed,
      usage: usageOf(objectOf(message['tokens'])),
      finish: null,
      empty: {},
    },
    ...calls.flatMap((call) => (call.result === null ? [] : [call.result])),
  ];
}

function thoughtPart(value: Json): AssistantPart[] {
  const thought = objectOf(value);
  const text = [textOf(thought?.['subject']), textOf(thought?.['description'])].filter((one) => one !== null && one !== '').join('\n');
  return isBlank(text) ? [] : [{ type: 'reasoning', text }];
}

interface CallRead {
  readonly part: AssistantPart;
  /** Null: still open. */
  readonly result: Step | null;
}
const FINISHED = new Set(['success', 'error', 'cancelled']);

function callsOf(message: JsonObject, name: string): CallRead[] {
  return (listOf(message['toolCalls']) ?? []).flatMap((value, index): CallRead[] => {
    const call = objectOf(value);
    if (call === null) return [];
    const toolCallId = nameOf(call['id']) ?? `${name}-${String(index)}`;
    const status = nameOf(call['status']) ?? 'success';
    const made = FINISHED.has(status) ? toolOutput(call['result'], status === 'error') : null;
    return [
      {
        part: { type: 'tool-call', toolCallId, toolName: nameOf(call['name']) ?? 'unknown', input: call['args'] ?? {} },
        result: made === null ? null : { do: 'result', callId: toolCallId, ...made },
      },
    ];
  });
}

/** The input holds the cached tokens, the output no thoughts. A record of zeros is no call. */
function usageOf(tokens: JsonObject | null): Usage | null {
  if (tokens === null) return null;
  const input = countOf(tokens['input']);
  const output = countOf(tokens['output']);
  const cached = countOf(tokens['cached']);
  const thoughts = countOf(tokens['thoughts']);
  if (input + output + cached + thoughts === 0) return null;
  return { input: Math.max(0, input - cached), output: output + thoughts, cacheRead: cached, cacheWrite: 0, reasoning: thoughts };
}
