/** For tests: files in a scratch folder, whole readings, and what must hold of every reading. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTranscript, type ReadOptions, type TranscriptItem, type TranscriptReport } from '../src/index.ts';

export interface Reading {
  readonly format: string;
  readonly sha256: string;
  readonly sessions: readonly SessionReading[];
}
export interface SessionReading {
  readonly id: string | null;
  readonly title: string | null;
  readonly system: string;
  readonly tools: unknown;
  readonly items: readonly TranscriptItem[];
  readonly report: TranscriptReport;
}

/** Where and why records were skipped. */
export function reasons(report: Pick<TranscriptReport, 'skipped'>): unknown[] {
  return report.skipped.map(({ line, index, reason }) => [line ?? index, reason]);
}

export class Scratch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
  #files = 0;
  write(content: string | Uint8Array): string {
    const file = join(this.#folder, `file-${String(this.#files++)}`);
    // Test files share modules: another one may have cleaned up already.
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(file, content);
    return file;
  }
  get folder(): string {
    return this.#folder;
  }
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function readWhole(file: string, options: ReadOptions = {}): Promise<Reading> {
  const opened = await openTranscript(file, options);
  const sessions: SessionReading[] = [];
  for (const session of opened.sessions) {
    const items: TranscriptItem[] = [];
    for await (const item of session.items()) items.push(item);
    const { id, title, system, tools } = session;
    sessions.push({ id, title, system, tools, items, report: session.report() });
  }
  return { format: opened.format, sha256: opened.sha256, sessions };
}

/** The first thing that is wrong with a reading, or null. */
export function faultIn({ items, report: r }: SessionReading): string | null {
  if (r.read + r.hidden + r.meta + r.skippedRecords !== r.records) return 'records do not add up';
  if (r.toolResults + r.callsWithoutResult !== r.toolCalls) return 'calls do not add up';
  if (r.messages !== r.userInput + r.notice + r.observation + r.handoff + r.continuation + r.assistant + r.toolCalls)
    return 'messages do not add up';
  if (Object.values(r.kinds).reduce((sum, one) => sum + one, 0) > r.records) return 'kinds are more than records';
  if (items.filter((item) => item.kind === 'assistant').length !== r.assistant) return 'assistant items and count differ';
  if (items.filter((item) => item.kind === 'result').length + ranByProvider(items) !== r.toolCalls) return 'result items and calls differ';
  if (r.skipped.filter((one) => one.reason === 'result-without-call').length !== r.resultsWithoutCall) return 'orphans are not all listed';
  return pairFault(items);
}

/** Every call has exactly one result, directly behind its message, in the order of the calls. */
function pairFault(items: readonly TranscriptItem[]): string | null {
  let open: string[] = [];
  for (const item of items) {
    if (item.kind === 'result') {
      if (open.shift() !== item.part.toolCallId) return `a result out of place at ${String(item.line)}`;
      if (item.made !== (item.line === null)) return 'a made result has a line, or a recorded one has none';
    } else {
      if (open.length > 0) return `an item between call and result at ${String(item.line)}`;
      if (item.kind === 'assistant' && ownFault(item.message.content))
        return `a call of the provider without its result at ${String(item.line)}`;
      if (item.kind === 'assistant')
        open = item.message.content.flatMap((part) =>
          part.type === 'tool-call' && part.providerExecuted !== true ? [part.toolCallId] : [],
        );
    }
  }
  return open.length > 0 ? 'calls without result at the end' : null;
}

type Parts = Extract<TranscriptItem, { kind: 'assistant' }>['message']['content'];
const own = (parts: Parts): string[] =>
  parts.flatMap((part) => (part.type === 'tool-call' && part.providerExecuted === true ? [part.toolCallId] : []));
/** What a provider ran itself is answered in the same message, once, behind the call. */
function ownFault(parts: Parts): boolean {
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
  return own(parts).sort().join('\n') !== results.sort().join('\n');
}
const ranByProvider = (items: readonly TranscriptItem[]): number =>
  items.reduce((sum, item) => sum + (item.kind === 'assistant' ? own(item.message.content).length : 0), 0);

export const text = (item: TranscriptItem | undefined): string =>
  item?.kind === 'user' || item?.kind === 'assistant'
    ? item.message.content.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('')
    : '';
export const userTexts = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'user' ? [text(item)] : []));
