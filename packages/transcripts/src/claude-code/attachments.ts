/** `attachment` records: what the client put before the model between the turns. */
import type { Json } from '@palimpsest/contracts';
import { nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import type { UserOrigin } from '../transcript.ts';
import { blocksOf, userContent } from './content.ts';
import { attachmentOrigins, tellText } from './origins.ts';
import { saidStep } from './messages.ts';

export function attachmentSteps({ at, value }: RecordPiece): readonly Step[] {
  const attachment = objectOf(value['attachment']);
  const type = nameOf(attachment?.['type']);
  if (attachment === null || type === null) return [skip('malformed', 'no attachment')];
  if (type === 'queued_command') return queued(at, value, attachment);
  const origin = attachmentOrigins.get(type);
  const text = origin === undefined ? null : shownText(value, attachment);
  if (origin === undefined || text === null)
    return [{ do: 'hidden', body: { kind: 'custom', by: 'claude-code', key: `attachment/${type}`, data: attachment, shown: null } }];
  return [{ do: 'user', origin, content: [{ type: 'text', text }], images: 0 }];
}

/** Typed by a person while the agent worked, or queued by something that ran. */
function queued(at: number, value: JsonObject, attachment: JsonObject): readonly Step[] {
  const prompt = textOf(value['rendered']) ?? textOf(attachment['rendered']) ?? attachment['prompt'];
  const { content, images, notes } = userContent(blocksOf(prompt));
  if (content.length === 0) return [skip('empty-user')];
  const first = content.find((part) => part.type === 'text');
  const byPerson = (nameOf(attachment['commandMode']) ?? 'prompt') === 'prompt' && isHuman(attachment['origin']);
  const origin: UserOrigin = byPerson ? 'user_input' : 'observation';
  const told = byPerson && first !== undefined ? tellText(first.text) : null;
  return [...notes, saidStep(at, told ?? { origin, by: 'queued' }, content, images)];
}

const isHuman = (origin: Json | undefined): boolean =>
  origin === undefined || origin === null || origin === 'human' || objectOf(origin)?.['kind'] === 'human';

/** `rendered` is the text as the model saw it; without it the attachment's own text is the nearest. */
function shownText(value: JsonObject, attachment: JsonObject): string | null {
  const text = [value['rendered'], attachment['rendered'], attachment['content'], attachment['text'], attachment['snippet']]
    .map((one) => textOf(one))
    .find((one) => one !== null && one !== '');
  if (text !== undefined && text !== null) return text;
  const content = attachment['content'];
  return content === undefined || content === null ? null : stringify(content);
}
