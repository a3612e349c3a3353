import type { Artifact, EntryId, SessionRecord, ToolSchema } from '@palimpsest/contracts';
import { entriesInOrder, pathEntries, pathIds, recordOf, type StoreAccess } from './access.ts';

/** In what form a session leaves. `palimpsest` is everything there is; the others are the current path as it was said. */
export type ExportFormat = 'palimpsest' | 'openai-chat' | 'anthropic' | 'ai-sdk' | 'markdown';
/** A format that is missing here does not compile. */
const formats: Readonly<Record<ExportFormat, true>> = {
  palimpsest: true,
  'openai-chat': true,
  anthropic: true,
  'ai-sdk': true,
  markdown: true,
};
export const exportFormats = Object.keys(formats) as readonly ExportFormat[];

/** The text of an export, in pieces. @throws LOG_SESSION_UNKNOWN before the first piece. */
export async function* exportStored(access: StoreAccess, name: string, format: ExportFormat): AsyncGenerator<string, void, void> {
  const record = await recordOf(access, name);
  const write = await import('@palimpsest/transcripts');
  const { log } = access.store;
  if (format === 'palimpsest') {
    yield* write.exportSession({ record, entries: entriesInOrder(log, record.id), artifact: (id) => ownArtifact(access, record, id) });
    return;
  }
  const ids = await pathIds(log, record.id, record.leaf);
  const path = pathEntries(log, record.id, ids);
  if (format === 'openai-chat') yield* write.exportChat(path);
  else if (format === 'ai-sdk') yield* write.exportModelMessages(path);
  else if (format === 'markdown') yield* write.exportMarkdown(path, { title: record.name ?? record.id });
  else yield* write.exportAnthropic(path, { tools: await toolsOf(access, record) });
}

/** Equal texts are one artifact of the whole store. What another session made is exported as this one's own, so that one session always gives the same bytes. */
async function ownArtifact({ store }: StoreAccess, { id }: SessionRecord, artifact: Artifact['id']): Promise<Artifact | null> {
  const found = await store.artifacts.get(artifact);
  return found === null || found.session === null || found.session === id ? found : { ...found, session: id, source: null };
}

/** The schemas that the newest prompt of the path names. */
async function toolsOf(
  { store }: StoreAccess,
  { id, leaf }: { readonly id: SessionRecord['id']; readonly leaf: EntryId | null },
): Promise<readonly ToolSchema[]> {
  const [prompt] = leaf === null ? [] : await store.log.branch(id, leaf, { limit: 1, kinds: ['prompt'] });
  const body = prompt?.kind === 'prompt' ? ((await store.artifacts.get(prompt.tools))?.body ?? '') : '';
  return body === '' ? [] : (JSON.parse(body) as readonly ToolSchema[]);
}
