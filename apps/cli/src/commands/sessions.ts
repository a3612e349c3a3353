/** Sessions of the store, without the runtime: only what these commands need is loaded. */
import { errors } from '@palimpsest/contracts/plain';
import {
  exportFormats,
  exportStored,
  forkSession,
  listSessions,
  openSessions,
  searchSessions,
  showSession,
  treeOf,
  type OpenedStore,
} from '@palimpsest/runtime/sessions';
import { limitOf } from '../numbers.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { cleanLine } from '../output/clean.ts';
import { outputFile, writeFileWhole, writePieces } from '../output/pieces.ts';
import { counted, json, line, number, prose, strong, styledLine, table, terminalColumns, warn } from '../output/print.ts';
import { treeLines } from '../output/tree.ts';

export interface SessionsOptions extends CommonOptions {
  readonly limit: string;
}
export interface ForkOptions extends CommonOptions {
  readonly as?: string;
}
export interface SearchOptions extends SessionsOptions {
  readonly session?: string;
}
export interface ExportOptions extends CommonOptions {
  readonly format: string;
  readonly output?: string;
}

export async function list(options: SessionsOptions): Promise<void> {
  await withStore(options, async (store) => {
    const sessions = await listSessions(store, limitOf(options.limit));
    if (options.json === true) json(sessions);
    else if (sessions.length === 0) line('No sessions yet. Begin one: palimpsest run "hello", or palimpsest sessions import FILE');
    else {
      table(
        sessions.map(({ id, name, entries, updated, filling }) => [
          id,
          entries,
          updated,
          `${filling === 'begun' ? '(unfinished) ' : ''}${name ?? ''}`,
        ]),
        ['session', 'entries', 'updated', 'name'],
      );
      limited(sessions.length, options.limit, 'the newest touched; there may be more');
      if (sessions.some(({ filling }) => filling === 'begun')) prose(`Unfinished: ${UNFINISHED}`);
    }
  });
}

export async function show(session: string, options: SessionsOptions): Promise<void> {
  await withStore(options, async (store) => {
    const texts = options.json !== true && terminalColumns() === null ? 'long' : 'short';
    const shown = await showSession(store, session, limitOf(options.limit), texts);
    if (options.json === true) return json(shown);
    const { record, entries } = shown;
    prose(`${record.id}: ${counted(record.entries, 'entry', 'entries')}, leaf ${record.leaf ?? 'none'}`);
    if (record.filling === 'begun') prose(`Unfinished: ${UNFINISHED}`);
    table(
      entries.map((entry) => [entry.seq, entry.id, entry.kind, entry.tokens, entry.preview]),
      ['seq', 'entry', 'kind', 'tokens', ''],
    );
    if ((entries[0]?.parent ?? null) !== null) limited(entries.length, options.limit, 'the newest of the current path; there are more');
  });
}

export async function tree(session: string, options: CommonOptions): Promise<void> {
  await withStore(options, async (store) => {
    const found = await treeOf(store, session);
    if (options.json === true) json(found);
    else for (const text of treeLines(found, terminalColumns())) line(text);
  });
}

export async function fork(session: string, entry: string | undefined, options: ForkOptions): Promise<void> {
  await withStore(options, async (store) => {
    await warnUnfinished(store, session);
    const forked = await forkSession(store, {
      session,
      ...(entry === undefined ? {} : { entry }),
      ...(options.as === undefined ? {} : { as: options.as }),
    });
    if (options.json === true) return json(forked);
    line(`${forked.session}: ${counted(forked.entries, 'entry', 'entries')} of ${forked.parent.session}, up to ${forked.parent.entry}`);
    line(`Go on with it: palimpsest run "…" --session ${forked.session}`);
  });
}

export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  await withStore(options, async (store) => {
    const text = words.join(' ');
    const hits = await searchSessions(store, {
      words: text,
      limit: limitOf(options.limit),
      ...(options.session === undefined ? {} : { session: options.session }),
    });
    if (options.json === true) return json(hits);
    if (hits.length === 0) line(`Nothing has all of: ${text}. Try fewer words, or the beginning of one.`);
    for (const hit of hits) {
      styledLine(`${strong(hit.session)}  ${cleanLine(hit.entry ?? `artifact ${hit.artifact ?? ''}`)}`);
      prose(`  ${hit.snippet.replace(/\s+/gu, ' ').trim()}`, '  ');
    }
    limited(hits.length, options.limit, 'the best; there may be more');
  });
}

/** To stdout, or to a file: whole, or as it was before. */
export async function exportTo(session: string, options: ExportOptions): Promise<void> {
  const output = await outputFile(options.output);
  const format = exportFormats.find((known) => known === options.format);
  if (format === undefined) throw errors.usageInvalid(`--format ${options.format}: unknown`, `Known: ${exportFormats.join(', ')}`);
  if (options.json === true && output === null)
    throw errors.usageInvalid('--json reports on a file; this export goes to stdout', 'Add -o FILE, or leave --json out.');
  await withStore(options, async (store) => {
    await warnUnfinished(store, session);
    const pieces = exportStored(store, session, format);
    if (output === null) return writePieces(pieces);
    const bytes = await writeFileWhole(output, pieces);
    if (options.json === true) json({ session, format, file: output, bytes });
    else line(`${output}: ${number(bytes)} bytes, ${format}`);
  });
}

async function withStore(options: CommonOptions, work: (store: OpenedStore) => Promise<void>): Promise<void> {
  const store = await openSessions(options.config === undefined ? {} : { config: options.config });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

const UNFINISHED =
  'what fills it (an import, a fork or a replay) still runs, or was cut off. The same command, run again, starts it afresh.';

/** What is copied of it is a part, and looks whole there. */
async function warnUnfinished(store: OpenedStore, session: string): Promise<void> {
  const { record } = await showSession(store, session, 1);
  if (record.filling === 'begun') warn(`${session} is unfinished: ${UNFINISHED}`);
}

/** Says that a list was cut, where it may have been. */
function limited(shown: number, limit: string, which: string): void {
  if (shown > 0 && shown >= limitOf(limit)) prose(`${number(shown)} shown, ${which}: --limit ${String(shown * 10)}`);
}
