import { errors } from '@palimpsest/contracts';
import { importTranscript, listSessions, showSession } from '@palimpsest/runtime';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, line, number, table, wholeNumber } from '../output/print.ts';
import { formatFrom } from './replay.ts';

export interface SessionsOptions extends CommonOptions { readonly limit: string }
export interface ImportOptions extends CommonOptions { readonly format?: string }

export async function list(options: SessionsOptions): Promise<void> {
  await withRuntime(options, async (runtime) => {
    const sessions = await listSessions(runtime, limitOf(options.limit));
    if (options.json === true) json(sessions);
    else if (sessions.length === 0) line('No sessions yet.');
    else table(sessions.map(({ id, name, entries, updated }) => [id, entries, updated, name ?? '']), ['session', 'entries', 'updated', 'name']);
  });
}

export async function show(session: string, options: SessionsOptions): Promise<void> {
  await withRuntime(options, async (runtime) => {
    const shown = await showSession(runtime, session, limitOf(options.limit));
    if (options.json === true) return void json(shown);
    const { record, entries } = shown;
    line(`${record.id}: ${number(record.entries)} entries, leaf ${record.leaf ?? 'none'}`);
    table(entries.map((entry) => [entry.seq, entry.id, entry.kind, entry.tokens, entry.preview]), ['seq', 'entry', 'kind', 'tokens', '']);
  });
}

export async function importFile(transcript: string, options: ImportOptions): Promise<void> {
  await withRuntime(options, async (runtime) => {
    const imported = await importTranscript(runtime, { file: transcript, ...(options.format === undefined ? {} : { format: formatFrom(options.format) }) });
    if (options.json === true) json(imported);
    else table(imported.map(({ session, entries, transcript: report }) => [session, entries, report.skipped.length, report.format]), ['session', 'entries', 'skipped', 'format']);
  });
}

function limitOf(text: string): number {
  const limit = wholeNumber(text);
  if (limit === null) throw errors.usageInvalid(`--limit ${text}: not a whole number`);
  return limit;
}
