/** A branch as the plain chat messages that most engines elsewhere are written for. */
import type { Artifact, ArtifactId, BranchReader, EntryId, Message, Placed } from '@palimpsest/contracts';
import { reducedMessage } from '@palimpsest/contracts';
import { groupsOldestFirst, type Group } from '../groups.ts';
import { outputText } from '../output-text.ts';

/** A message in chat form. `id` names what it stands for in the log; a message that an engine adds has none. */
export interface PlainMessage {
  readonly id?: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly PlainCall[];
  readonly tool_call_id?: string;
}
export interface PlainCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What no edge may cut, in chat form. */
export interface PlainGroup {
  readonly through: EntryId;
  readonly tokens: number;
  readonly entries: readonly EntryId[];
  readonly messages: readonly PlainMessage[];
  readonly covered: Group['covered'];
}

type ReadArtifact = (id: ArtifactId) => Promise<Artifact | null>;

/** Oldest first. Pictures, files and reasoning are not part of the plain form; silent entries are, as groups without messages. */
export async function plainGroups(branch: BranchReader, artifact: ReadArtifact): Promise<readonly PlainGroup[]> {
  const groups: PlainGroup[] = [];
  for await (const group of groupsOldestFirst(branch, null)) groups.push(await plainGroup(group, artifact));
  return groups;
}

async function plainGroup({ placed, through, shownTokens: tokens, covered }: Group, artifact: ReadArtifact): Promise<PlainGroup> {
  const messages = covered === null ? placed.flatMap(messagesOf) : await summaryMessages(covered, artifact);
  return { through, tokens, entries: placed.map(({ entry }) => entry.id), messages, covered };
}

async function summaryMessages(covered: NonNullable<Group['covered']>, artifact: ReadArtifact): Promise<readonly PlainMessage[]> {
  if (covered.show === 'nothing') return [];
  const content = 'inline' in covered.text ? covered.text.inline : ((await artifact(covered.text.artifact))?.body ?? '');
  return [{ id: covered.through, role: 'user', content }];
}

function messagesOf({ entry, shape }: Placed): readonly PlainMessage[] {
  if (shape.kind === 'silent') return [];
  if (entry.kind === 'custom') return [{ id: entry.id, role: 'user', content: entry.shown ?? '' }];
  if (entry.kind === 'branch-summary') return [{ id: entry.id, role: 'user', content: entry.summary }];
  if (entry.kind !== 'message') return [];
  return formOf(entry.id, shape.kind === 'reduced' ? reducedMessage(entry.message, shape.items) : entry.message);
}

function formOf(id: EntryId, message: Message): readonly PlainMessage[] {
  if (message.role === 'tool')
    return message.content.map((part) => ({ id, role: 'tool', content: outputText(part.output), tool_call_id: part.toolCallId }));
  const content = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (message.role === 'user') return [{ id, role: 'user', content }];
  const calls = message.content.flatMap((part): PlainCall[] =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: JSON.stringify(part.input) } }]
      : [],
  );
  return [{ id, role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}
