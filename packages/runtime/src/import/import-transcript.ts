import { errors } from '@palimpsest/contracts';
import type { Draft, EntryId, SessionId } from '@palimpsest/contracts';
import type { TurnKit } from '@palimpsest/kernel';
import { ReplayModel } from '@palimpsest/models';
import {
  openTranscript,
  type FormatName,
  type TranscriptFile,
  type TranscriptItem,
  type TranscriptReport,
  type TranscriptSession,
} from '@palimpsest/transcripts';
import type { HostRuntime } from '../runtime.ts';
import { sessionIdFrom } from '../sessions/access.ts';
import { importOwn } from './import-own.ts';
import { filled, spareAny, spareChanged } from '../session/filled.ts';
import { limitsOf } from '../session/models.ts';

const BATCH_ENTRIES = 200;
const BATCH_CHARACTERS = 1_000_000;

export interface Imported {
  readonly session: SessionId;
  readonly entries: number;
  readonly transcript: TranscriptReport;
  readonly notes: readonly string[];
}
export interface ImportAsk {
  readonly file: string;
  readonly format?: FormatName;
  /** Id of the session; default: one made of the file's hash, and for our own export the one it names. */
  readonly as?: string;
}

/**
 * Reads a session file into the store as it is, without a model: one session per recorded one, under an id made of the file's hash. An
 * import that is run again starts again; one that fails leaves nothing. Of two at once the earlier one wins, and the other is told.
 * Our own export is written back as it was.
 * @throws TRANSCRIPT_*; SESSION_BUSY while somebody else writes to the session; USAGE_INVALID when the session went on since it was imported; SESSION_EXISTS for a name that is taken.
 */
export async function importTranscript(runtime: HostRuntime, ask: ImportAsk): Promise<readonly Imported[]> {
  const file = await openTranscript(ask.file, ask.format === undefined ? {} : { format: ask.format });
  if (file.format === 'palimpsest') return [await importedBack(runtime, ask, file)];
  if (ask.as !== undefined && file.sessions.length > 1)
    throw errors.usageInvalid(
      `${ask.file} holds ${String(file.sessions.length)} sessions, and --as names one.`,
      'Import it without --as; each session gets an id of its own.',
    );
  const done: Imported[] = [];
  for (const session of file.sessions) done.push(await importSession(runtime, file, session, ask.as));
  return done;
}

async function importedBack(runtime: HostRuntime, ask: ImportAsk, { sessions }: TranscriptFile): Promise<Imported> {
  const own = await importOwn(runtime, ask);
  const [transcript] = sessions;
  if (transcript === undefined) throw errors.transcriptUnknownFormat(ask.file, 'no session');
  const items = transcript.items()[Symbol.asyncIterator]();
  while ((await items.next()).done !== true);
  return { ...own, transcript: transcript.report() };
}

async function importSession(
  runtime: HostRuntime,
  file: TranscriptFile,
  transcript: TranscriptSession,
  as: string | undefined,
): Promise<Imported> {
  const id = as === undefined ? importId(file, transcript) : sessionIdFrom(as);
  const fresh = { id, name: transcript.title, parent: null, created: new Date(runtime.clock.now()).toISOString() };
  return filled(runtime, fresh, as === undefined ? spareChanged(wentOn) : spareAny, (fence) =>
    imported(runtime, { file, transcript, id, fence }),
  );
}

interface Fresh {
  readonly file: TranscriptFile;
  readonly transcript: TranscriptSession;
  readonly id: SessionId;
  readonly fence: number;
}

async function imported(runtime: HostRuntime, fresh: Fresh): Promise<Imported> {
  const { file, transcript, id } = fresh;
  const { session, kit } = await runtime.open({
    id,
    name: transcript.title,
    chosen: { model: new ReplayModel(`openai-chat:import/${file.format}`), limits: limitsOf(null, null) },
    system: transcript.system,
    recordedTools: transcript.tools,
    engine: 'compressor',
  });
  try {
    return { session: id, entries: await written(runtime, kit, fresh), transcript: transcript.report(), notes: [] };
  } finally {
    await session.close();
  }
}

function importId({ sha256, sessions }: TranscriptFile, { index }: TranscriptSession): SessionId {
  return `import-${sha256.slice(0, 12)}${sessions.length > 1 ? `-${String(index)}` : ''}` as SessionId;
}

function wentOn(id: SessionId): Error {
  return errors.usageInvalid(
    `Session ${id} was imported before and went on since; importing it again would lose that.`,
    `Go on with it: --session ${id}, or import the file under another name: --as ID`,
  );
}

/** Batches, each in one append: a killed import leaves whole batches. */
async function written(runtime: HostRuntime, kit: TurnKit, { file, transcript, id, fence }: Fresh): Promise<number> {
  const { log } = runtime.store;
  const prompt = await kit.views.changeDrafts(null);
  let leaf = (await log.append({ session: id, leaf: null, fence, entries: prompt.drafts, artifacts: prompt.artifacts })).at(-1)?.id ?? null;
  let [batch, size, total]: [Draft[], number, number] = [[], 0, prompt.drafts.length];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) leaf = (await log.append({ session: id, leaf, fence, entries: batch })).at(-1)?.id ?? leaf;
    total += batch.length;
    [batch, size] = [[], 0];
  };
  let turn: EntryId | null = null;
  let since = runtime.clock.elapsed();
  for await (const item of transcript.items()) {
    const draft = await draftOf(kit, item, turn, file.format);
    if (item.kind === 'user') turn = draft.id;
    if (runtime.clock.elapsed() - since > 8) {
      await runtime.clock.pause();
      since = runtime.clock.elapsed();
    }
    batch.push(draft);
    size += JSON.stringify(draft).length;
    if (batch.length >= BATCH_ENTRIES || size >= BATCH_CHARACTERS) await flush();
  }
  await flush();
  return total;
}

async function draftOf({ drafts }: TurnKit, item: TranscriptItem, turn: EntryId | null, format: string): Promise<Draft> {
  switch (item.kind) {
    case 'user':
      return sourced(await drafts.user({ content: item.message.content, origin: item.origin }, null), format, item.line);
    case 'assistant':
      return sourced(await drafts.message(item.message, 'model', turn), format, item.line);
    case 'result':
      return sourced(await drafts.message({ role: 'tool', content: [item.part] }, 'tool', turn), format, item.line);
    case 'hidden':
      return sourced(drafts.plain(item.body, turn), format, item.line);
  }
}

function sourced(draft: Draft, format: string, line: number | null): Draft {
  return draft.kind === 'message' && line !== null ? { ...draft, source: { format, line } } : draft;
}
