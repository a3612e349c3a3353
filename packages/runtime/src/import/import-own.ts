import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type { EntryId, SessionId } from '@palimpsest/contracts';
import { readOwnExport, type OwnHeader } from '@palimpsest/transcripts';
import { sessionIdFrom, type StoreAccess } from '../sessions/access.ts';
import { copiedAfresh, type SessionCopy } from '../sessions/copy.ts';
import { asItIs, renaming, type Renaming } from '../sessions/renamed.ts';

export interface OwnImport {
  readonly session: SessionId;
  readonly entries: number;
  /** What the file lacks: `torn`, `ended-early`, `artifact-missing`, `leaf-missing`; `renumbered` when entries stand elsewhere than before. */
  readonly notes: readonly string[];
}

/**
 * Writes our own export back as it was: ids, order, times, branches and leaf. Under another name (`as`) its entries are named anew, too.
 * One that fails leaves nothing.
 * @throws TRANSCRIPT_*, SESSION_EXISTS when the store has the session, or entries of it, already.
 */
export async function importOwn(access: StoreAccess, ask: { readonly file: string; readonly as?: string }): Promise<OwnImport> {
  const header = await headerOf(ask.file);
  const id = ask.as === undefined ? header.id : sessionIdFrom(ask.as);
  const name: Renaming = ask.as === undefined ? asItIs : renaming(await idsOf(ask.file), () => access.ids.entry());
  const notes = new Set<string>();
  const fresh = { id, name: header.name, parent: header.parent, created: header.created };
  const copy = await copiedAfresh(access, fresh, name, (into) => written(into, { file: ask.file, header, notes })).catch(
    (error: unknown) => {
      throw isPalimpsestError(error, 'LOG_ID_TAKEN') ? errors.sessionExists(id) : error;
    },
  );
  if (copy.renumbered) notes.add('renumbered');
  return { session: id, entries: copy.entries, notes: [...notes] };
}

async function written(
  copy: SessionCopy,
  { file, header, notes }: { readonly file: string; readonly header: OwnHeader; readonly notes: Set<string> },
): Promise<void> {
  for await (const record of readOwnExport(file)) {
    if (record.kind === 'artifact') copy.hold(record.artifact);
    else if (record.kind === 'entry') await copy.add(record.entry);
    else if (record.kind === 'note') notes.add(record.reason);
  }
  await copy.moveTo(header.leaf);
}

async function headerOf(file: string): Promise<OwnHeader> {
  for await (const record of readOwnExport(file)) if (record.kind === 'session') return record.header;
  throw errors.transcriptUnknownFormat(file, 'no header of an export');
}

async function idsOf(file: string): Promise<readonly EntryId[]> {
  const ids: EntryId[] = [];
  for await (const record of readOwnExport(file)) if (record.kind === 'entry') ids.push(record.entry.id);
  return ids;
}
