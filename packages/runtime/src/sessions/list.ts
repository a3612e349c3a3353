import { inert } from '@palimpsest/contracts/plain';
import type { Entry, EntryKind, SessionRecord } from '@palimpsest/contracts';
import type { StoreAccess } from './access.ts';
import { recordOf } from './access.ts';

/** Sessions of the store, the newest touched first. */
export async function listSessions(runtime: StoreAccess, limit: number): Promise<readonly SessionRecord[]> {
  const all: SessionRecord[] = [];
  for (let after: SessionRecord['id'] | undefined; ; after = all.at(-1)?.id) {
    const page = await runtime.store.log.sessions({ limit: 500, ...(after === undefined ? {} : { after }) });
    all.push(...page);
    if (page.length === 0) break;
  }
  return all.sort((a, b) => b.updated.localeCompare(a.updated)).slice(0, limit);
}

export interface ShownEntry {
  readonly seq: number;
  readonly id: string;
  readonly parent: string | null;
  readonly kind: EntryKind;
  readonly time: string;
  readonly tokens: number;
  readonly preview: string;
}
export interface ShownSession {
  readonly record: SessionRecord;
  readonly entries: readonly ShownEntry[];
}

/** How much of a text is shown in its one line. */
export type Shown = 'short' | 'long';
/** Characters; what is longer ends with an ellipsis. */
const MOST: Readonly<Record<Shown, number>> = { short: 100, long: 64_000 };

/** The newest `limit` entries of the current path, oldest first. @throws LOG_SESSION_UNKNOWN. */
export async function showSession(runtime: StoreAccess, name: string, limit: number, texts: Shown = 'short'): Promise<ShownSession> {
  const record = await recordOf(runtime, name);
  const entries: ShownEntry[] = [];
  for (let before: Entry['id'] | undefined; record.leaf !== null && entries.length < limit;) {
    const page = await runtime.store.log.branch(record.id, record.leaf, {
      limit: limit - entries.length,
      ...(before === undefined ? {} : { before }),
    });
    before = page.at(-1)?.id;
    if (before === undefined) break;
    entries.push(...page.map((entry) => shown(entry, texts)));
  }
  return { record, entries: entries.reverse() };
}

function shown(entry: Entry, texts: Shown): ShownEntry {
  const { seq, id, parent, kind, time, tokens } = entry;
  return { seq, id, parent, kind, time, tokens, preview: lineOf(entry, texts) };
}

/** What an entry says, in one line. */
export function lineOf(entry: Entry, texts: Shown = 'short'): string {
  const most = MOST[texts];
  // Blanks fall together: a little more is looked at than is shown.
  const line = inert(previewOf(entry, 4 * most).replace(/\s+/gu, ' '));
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

function previewOf(entry: Entry, most: number): string {
  switch (entry.kind) {
    case 'message':
      return `${entry.hidden === true ? '(hidden) ' : ''}${entry.origin}: ${entry.message.content.map((part) => partPreview(part, most)).join(' ')}`;
    case 'compaction':
      return `${entry.hidden === true ? '(hidden) ' : ''}by ${entry.by}, ${entry.trigger}: ${String(entry.tokensBefore)} → ${String(entry.tokensAfter)} tokens`;
    case 'reduction':
      return `${String(entry.items.length)} items: ${String(entry.tokensBefore)} → ${String(entry.tokensAfter)} tokens`;
    case 'step':
      return `${entry.route}: ${String(entry.judgement.tokens)} tokens (${entry.judgement.mark}), ${entry.outcome.kind}`;
    default:
      return '';
  }
}

type Part = (Entry & { readonly kind: 'message' })['message']['content'][number];

function partPreview(part: Part, most: number): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text.slice(0, most);
  if (part.type === 'tool-call') return `→ ${part.toolName}`;
  return part.type === 'tool-result' ? `← ${JSON.stringify(part.output.value).slice(0, most)}` : `[${part.type}]`;
}
