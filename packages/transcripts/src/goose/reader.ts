/** Reads the messages of an export, or the lines of a legacy file behind their header. */
import type { RecordReader, Scout } from '../formats.ts';
import { compactionMark, keptData, keptReply, keptUser } from '../kept.ts';
import { nameOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import type { UserOrigin } from '../transcript.ts';
import { gather, type Gathered } from './content.ts';
import { isMessage, rolesOf, seenOf, type Role, type Seen } from './visibility.ts';

export class GooseReader implements RecordReader {
  readonly #roles: readonly Role[];
  #message = -1;

  constructor(roles: readonly Role[]) {
    this.#roles = roles;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    if (isHeader(value)) return headerSteps(value);
    if (!isMessage(value)) return [skip('malformed', 'no message')];
    const role = this.#roles[++this.#message] ?? 'plain';
    const found = gather(value, at);
    const marks = found.marks.map((mark) => compactionMark('goose', mark));
    const kept = found.kept.length === 0 ? [] : [keptData('goose', 'content', found.kept)];
    const said = this.#said(value, found, role, at);
    if (said.length === 0 && marks.length + kept.length === 0) return value['role'] === 'user' ? [skip('empty-user')] : [emptyReply];
    return [...found.notes, ...marks, ...said, ...kept];
  }

  #said(message: JsonObject, found: Gathered, role: Role, at: number): readonly Step[] {
    if (message['role'] === 'assistant') return assistantSteps(found, role, at);
    if (message['role'] !== 'user') return [skip('unknown-role', nameOf(message['role']) ?? '')];
    const { user: content, results } = found;
    if (content.length === 0) return results;
    if (role === 'summary') return [...results, compactionMark('goose', {}), keptUser('goose', at, 'handoff', content)];
    if (role === 'screen-only') return [...results, keptUser('goose', at, 'notice', content)];
    const by = content.every((part) => part.type === 'image') ? 'image' : results.length > 0 ? 'with-result' : 'typed';
    return [...results, { do: 'user', origin: origins[role], content, images: found.images, by }];
  }
}

const origins: Record<Exclude<Role, 'summary' | 'screen-only'>, UserOrigin> = {
  plain: 'user_input',
  order: 'continuation',
  'agent-only': 'notice',
};
const emptyReply: Step = { do: 'assistant', key: null, parts: [], thinking: 0, signed: 0, usage: null, finish: null, empty: {} };

/** What only the screen showed is no reply, and neither is what the client put behind a summary in the model's name. */
function assistantSteps(found: Gathered, role: Role, at: number): readonly Step[] {
  const { parts, thinking, signed, images, results } = found;
  const calls = parts.some((part) => part.type === 'tool-call');
  if (parts.length === 0) return results;
  if (!calls && (role === 'order' || role === 'screen-only')) return [keptReply('goose', at, parts), ...results];
  return [{ do: 'assistant', key: null, parts, thinking, signed, images, usage: null, finish: null, empty: {} }, ...results];
}

export const isHeader = (value: JsonObject): boolean => nameOf(value['role']) === null && Object.hasOwn(value, 'working_dir');
function headerSteps(header: JsonObject): readonly Step[] {
  const title = nameOf(header['name']) ?? nameOf(header['description']);
  const id = nameOf(header['id']);
  return [{ do: 'facts', ...(id === null ? {} : { id }), ...(title === null ? {} : { title: { text: title, rank: 1 } }) }];
}

export class GooseScout implements Scout {
  readonly #seen: Seen[] = [];

  see({ value }: RecordPiece): void {
    if (!isHeader(value) && isMessage(value)) this.#seen.push(seenOf(value));
  }

  finish(): ReturnType<Scout['finish']> {
    const roles = rolesOf(this.#seen);
    return { reader: () => new GooseReader(roles), again: roles.some((role) => role !== 'plain') };
  }
}
