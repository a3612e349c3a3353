/** `message` records, by role. */
import type { Finish, MessageBody, Usage, UserPart } from '@palimpsest/contracts';
import { countOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import type { UserOrigin } from '../transcript.ts';
import { assistantContent, toolOutput, userContent } from './content.ts';

type RoleRule = (message: JsonObject, record: RecordPiece) => readonly Step[];

export function messageSteps(record: RecordPiece): readonly Step[] {
  const message = objectOf(record.value['message']);
  const role = nameOf(message?.['role']);
  if (message === null || role === null) return [skip('malformed', 'no message')];
  return roleTable.get(role)?.(message, record) ?? [skip('unknown-role', role)];
}

const said =
  (origin: UserOrigin): RoleRule =>
  (message) => {
    const { content, images, notes } = userContent(message['content']);
    return content.length === 0
      ? [skip('empty-user')]
      : [...notes, { do: 'user', origin, content, images, by: content.every((part) => part.type === 'image') ? 'image' : 'typed' }];
  };

/** A summary of older turns: kept, never shown. */
const summarised: RoleRule = (message, { at }) => {
  const { content } = userContent(message['content'] ?? message['summary']);
  const body: MessageBody = {
    kind: 'message',
    origin: 'handoff',
    message: { role: 'user', content },
    hidden: true,
    source: { format: 'pi', line: at },
  };
  return [{ do: 'hidden', body }];
};

const custom: RoleRule = (message, record) => (message['customType'] === 'handoff' ? summarised : said('notice'))(message, record);
/** A record that is a message by itself. */
export const noticeSteps = (record: RecordPiece): readonly Step[] => custom(record.value, record);

const assistant: RoleRule = (message, { at, text }) => {
  const { parts, thinking, signed, notes } = assistantContent(message, text, at);
  const usage = objectOf(message['usage']);
  const { stopReason = null, errorMessage = null } = message;
  const finish = finishes.get(nameOf(stopReason) ?? '') ?? null;
  return [
    ...notes,
    {
      do: 'assistant',
      key: null,
      parts,
      thinking,
      signed,
      usage: usage === null ? null : usageOf(usage),
      finish,
      empty: { stopReason, errorMessage },
    },
  ];
};

const finishes = new Map<string, Finish>([
  ['stop', 'stop'],
  ['toolUse', 'tool-calls'],
  ['length', 'length'],
  ['aborted', 'other'],
  ['error', 'other'],
]);

const usageOf = (usage: JsonObject): Usage => ({
  input: countOf(usage['input']),
  output: countOf(usage['output']),
  cacheRead: countOf(usage['cacheRead']),
  cacheWrite: countOf(usage['cacheWrite']),
  reasoning: 0,
});

const toolResult: RoleRule = (message) => {
  const { output, images, notes } = toolOutput(message['content'], message['isError'] === true);
  return [...notes, { do: 'result', callId: textOf(message['toolCallId']) ?? '', output, images }];
};

/** What a person ran in the client, and what came out. `excludeFromContext`: the model never saw it. */
const ran =
  (what: (message: JsonObject) => string): RoleRule =>
  (message, { at }) => {
    const content: UserPart[] = [{ type: 'text', text: `${what(message)}\n${textOf(message['output']) ?? ''}${outcome(message)}` }];
    if (message['excludeFromContext'] !== true) return [{ do: 'user', origin: 'observation', content, images: 0 }];
    return [
      {
        do: 'hidden',
        body: {
          kind: 'message',
          origin: 'observation',
          message: { role: 'user', content },
          hidden: true,
          source: { format: 'pi', line: at },
        },
      },
    ];
  };

function outcome(message: JsonObject): string {
  const code = message['exitCode'];
  const facts = [
    ...(typeof code === 'number' && code !== 0 ? [`exit code ${String(code)}`] : []),
    ...(message['cancelled'] === true ? ['cancelled'] : []),
    ...(message['truncated'] === true
      ? [`cut off${nameOf(message['fullOutputPath']) === null ? '' : `, all of it: ${String(message['fullOutputPath'])}`}`]
      : []),
  ];
  return facts.length === 0 ? '' : `\n(${facts.join('; ')})`;
}

const roleTable: ReadonlyMap<string, RoleRule> = new Map<string, RoleRule>([
  ['user', said('user_input')],
  ['assistant', assistant],
  ['toolResult', toolResult],
  ['bashExecution', ran((message) => `$ ${textOf(message['command']) ?? ''}`)],
  ['pythonExecution', ran((message) => `>>> ${textOf(message['code']) ?? textOf(message['command']) ?? ''}`)],
  ['custom', custom],
  ['hookMessage', custom],
  ['fileMention', said('notice')],
  ['developer', said('notice')],
  ['branchSummary', summarised],
  ['compactionSummary', summarised],
]);
