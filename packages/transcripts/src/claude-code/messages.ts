/** `user` and `assistant` records. */
import type { Finish, Json, MessageBody, Usage, UserPart } from '@palimpsest/contracts';
import { countOf, has, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step, type UserStep } from '../steps.ts';
import { assistantContent, blocksOf, isResult, resultStep, userContent } from './content.ts';
import { tellText, type Told } from './origins.ts';

/** Null: null, a string, or spread over numeric keys, as faulty clients wrote it. */
function messageOf(value: JsonObject): JsonObject | null {
  const message = objectOf(value['message']);
  const content = message?.['content'];
  return message === null || has(message, '0') || (typeof content !== 'string' && !Array.isArray(content)) ? null : message;
}

export function userSteps({ at, value }: RecordPiece): readonly Step[] {
  const message = messageOf(value);
  if (message === null) return [skip('malformed', 'no message')];
  const blocks = blocksOf(message['content']);
  const results = blocks.filter(isResult).map((block) => resultStep(objectOf(block) ?? {}));
  const { content, images, notes } = userContent(blocks.filter((block) => !isResult(block)));
  const told = tell(value, content, results.length > 0);
  const said = content.length > 0 ? [saidStep(at, told, content, images)] : results.length > 0 ? [] : [skip('empty-user')];
  return [...results.flatMap((one) => [...one.notes, one.step]), ...notes, ...said];
}

/** Flags of the record first, then what the text begins with; else it is the user's. */
function tell(value: JsonObject, content: readonly UserPart[], besideResults: boolean): Told {
  if (value['isCompactSummary'] === true) return { origin: 'handoff' };
  if (value['isMeta'] === true) return { origin: 'notice' };
  const first = content.find((part) => part.type === 'text');
  const byText = first === undefined ? null : tellText(first.text);
  if (byText !== null) return byText;
  if (has(value, 'planContent')) return { origin: 'user_input', by: 'plan' };
  return { origin: 'user_input', by: besideResults ? 'with-result' : first === undefined ? 'image' : 'typed' };
}

export function saidStep(at: number, told: Told, content: UserPart[], images: number): Step {
  if (told.origin !== 'handoff')
    return { do: 'user', origin: told.origin, content, images, ...(told.by === undefined ? {} : { by: told.by }) } satisfies UserStep;
  const body: MessageBody = {
    kind: 'message',
    origin: 'handoff',
    message: { role: 'user', content },
    hidden: true,
    source: { format: 'claude-code', line: at },
  };
  return { do: 'hidden', body };
}

/** One record's blocks; records of one `message.id` are one message. The stop reason is null on nearly every part and ends nothing. */
export function assistantSteps({ at, value, text }: RecordPiece): readonly Step[] {
  const message = messageOf(value);
  if (message === null) return [skip('malformed', 'no message')];
  const { parts, thinking, signed, notes } = assistantContent(message['content'], text, at);
  const key = nameOf(message['id']) ?? nameOf(value['requestId']) ?? nameOf(value['uuid']);
  const usage = objectOf(message['usage']);
  const finish = finishes.get(nameOf(message['stop_reason']) ?? '') ?? null;
  return [
    ...notes,
    {
      do: 'assistant',
      key,
      parts,
      thinking,
      signed,
      usage: usage === null ? null : usageOf(usage),
      finish,
      empty: { stopReason: message['stop_reason'] ?? null },
    },
  ];
}

const finishes = new Map<string, Finish>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['refusal', 'refused'],
  ['pause_turn', 'other'],
]);

const usageOf = (usage: JsonObject): Usage => ({
  input: countOf(usage['input_tokens']),
  output: countOf(usage['output_tokens']),
  cacheRead: countOf(usage['cache_read_input_tokens']),
  cacheWrite: countOf(usage['cache_creation_input_tokens']),
  reasoning: 0,
});

/** The exact text of a user record, as a queued text would repeat it; null: it has none. */
export function plainText(content: Json | undefined): string | null {
  const texts = blocksOf(content)
    .map((block) => textOf(objectOf(block)?.['text']))
    .filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join('\n');
}
