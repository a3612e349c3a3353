/** User messages: typed text, files, what the client put beside them. */
import type { UserPart } from '@palimpsest/contracts';
import { filePart } from '../ai-sdk/media.ts';
import { keptData } from '../kept.ts';
import { isBlank, nameOf, textOf, type JsonObject } from '../json/values.ts';
import { skip, type Step } from '../steps.ts';
import type { UserOrigin } from '../transcript.ts';

interface Gathered {
  readonly content: UserPart[];
  readonly kept: JsonObject[];
  readonly skipped: Step[];
  /** Texts that the client made up, and all texts. */
  synthetic: number;
  texts: number;
}

/** `behind`: the message stands directly behind a compaction. */
export function userSteps(parts: readonly JsonObject[], behind: boolean): readonly Step[] {
  const found: Gathered = { content: [], kept: [], skipped: [], synthetic: 0, texts: 0 };
  for (const part of parts) take(found, part);
  const data: Step[] = found.kept.length === 0 ? [] : [keptData('opencode', 'parts', found.kept)];
  const rest = [...found.skipped, ...data];
  if (found.content.length === 0) return data.length > 0 ? rest : [...rest, skip('empty-user')];
  const made = found.texts > 0 && found.synthetic === found.texts;
  const origin: UserOrigin = !made ? 'user_input' : behind ? 'continuation' : 'notice';
  const images = found.content.filter((part) => part.type === 'image').length;
  return [{ do: 'user', origin, content: found.content, images, by: images === found.content.length ? 'image' : 'typed' }, ...rest];
}

function take(found: Gathered, part: JsonObject): void {
  const type = nameOf(part['type']) ?? '';
  const text = type === 'text' && part['ignored'] !== true ? textOf(part['text']) : null;
  const file = type === 'file' && !isListed(part) ? filePart(part) : null;
  if (text !== null) {
    if (isBlank(text)) return;
    found.texts++;
    if (part['synthetic'] === true) found.synthetic++;
    found.content.push({ type: 'text', text });
  } else if (file !== null) found.content.push(file);
  else if (type === 'snapshot' || type === 'patch') found.skipped.push(skip('undo-data', type));
  else if (type !== 'compaction') found.kept.push(part);
}

/** Texts and folders: what the model saw of them follows as synthetic text. */
const isListed = (part: JsonObject): boolean =>
  ['text/plain', 'application/x-directory', 'inode/directory'].includes(nameOf(part['mime']) ?? '');
