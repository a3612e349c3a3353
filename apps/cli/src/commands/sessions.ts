import { errors } from '@palimpsest/contracts';
import { exportFormats, exportStored, importTranscript, listSessions, showSession } from '@palimpsest/runtime';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { writeFileWhole, writePieces } from '../output/pieces.ts';
import { json, line, number, table, warn, wholeNumber } from '../output/print.ts';
import { formatFrom } from './replay.ts';

export interface SessionsOptions extends CommonOptions { readonly limit: string }
export interface ImportOptions extends CommonOptions {
  readonly format?: string;
  readonly as?: string;
}
export interface ExportOptions extends CommonOptions {
  readonly format: string;
  readonly output?: string;
}

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
  const { format, as } = options;
  const ask = { file: transcript, ...(format === undefined ? {} : { format: formatFrom(format) }), ...(as === undefined ? {} : { as }) };
  await withRuntime(options, async (runtime) => {
    const imported = await importTranscript(runtime, ask);
    if (options.json === true) return void json(imported);
    table(
      imported.map(({ session, entries, transcript: report }) => [session, entries, report.skipped.length, report.format]),
      ['session', 'entries', 'skipped', 'format'],
    );
    for (const { session, notes } of imported) for (const note of notes) warn(`${session}: ${note}`);
  });
}

/** To stdout, or to a file that is whole or not there. */
export async function exportTo(session: string, options: ExportOptions): Promise<void> {
  const { output } = options;
  const format = exportFormats.find((known) => known === options.format);
  if (format === undefined) throw errors.usageInvalid(`--format ${options.format}: unknown`, `Known: ${exportFormats.join(', ')}`);
  if (options.json === true && output === undefined) throw errors.usageInvalid('--json reports on a file; this export goes to stdout', 'Add -o FILE, or leave --json out.');
  await withRuntime(options, async (runtime) => {
    const pieces = exportStored(runtime, session, format);
    if (output === undefined) return writePieces(pieces);
    const bytes = await writeFileWhole(output, pieces);
    if (options.json === true) json({ session, format, file: output, bytes });
    else line(`${output}: ${number(bytes)} bytes, ${format}`);
  });
}

function limitOf(text: string): number {
  const limit = wholeNumber(text);
  if (limit === null) throw errors.usageInvalid(`--limit ${text}: not a whole number`);
  return limit;
}
