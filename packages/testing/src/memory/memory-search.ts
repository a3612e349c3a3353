import type { Entry, Hit, Json, Search, SessionId, ToolOutput } from '@palimpsest/contracts';
import { assertLimit } from './bounds.ts';
import type { MemoryState } from './state.ts';

const SILENT_KINDS: ReadonlySet<string> = new Set(['source', 'system_prompt', 'tool_schemas', 'engine_state']);
const SNIPPET_CHARACTERS = 400;

/** Full text by looking at everything: the plainest thing that keeps the rules of {@link Search}. */
export class MemorySearch implements Search {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async query(ask: { readonly text: string; readonly session?: SessionId; readonly limit: number }): Promise<readonly Hit[]> {
    this.#state.assertOpen();
    assertLimit(ask.limit);
    const words = runsAsWritten(ask.text);
    if (words.length === 0) return [];
    const hits = this.#documents(ask.session).flatMap((document) => scored(document, words));
    return hits.sort((one, other) => other.score - one.score).slice(0, ask.limit);
  }

  #documents(session: SessionId | undefined): Document[] {
    const entries = [...this.#state.sessions.values()]
      .flatMap((held) => held.entries)
      .map((entry) => ({ session: entry.session, entry: entry.id, artifact: null, text: entryText(entry) }));
    const artifacts = [...this.#state.artifacts.values()].flatMap(({ artifact, holders }) => {
      const owner = session !== undefined && holders.has(session) ? session : artifact.session;
      return owner === null || SILENT_KINDS.has(artifact.kind)
        ? []
        : [{ session: owner, entry: null, artifact: artifact.id, text: artifact.body }];
    });
    return [...entries, ...artifacts].filter((document) => session === undefined || document.session === session).reverse();
  }
}

type Document = Pick<Hit, 'session' | 'entry' | 'artifact'> & { readonly text: string };

function scored({ text, ...place }: Document, words: readonly string[]): Hit[] {
  const parts = new Set(runs(humps(text)));
  const spaced = ` ${runs(text).join(' ')} `;
  const last = words.length - 1;
  const found = words.map((word, index) => wordCount(spaced, parts, word, index === last));
  if (found.some((times) => times === 0)) return [];
  const start = Math.max(0, text.toLowerCase().indexOf((words[0] ?? '').toLowerCase()) - SNIPPET_CHARACTERS / 4);
  const score = found.reduce((sum, times) => sum + times, 0) / (1 + spaced.length);
  return [{ ...place, snippet: text.slice(start, start + SNIPPET_CHARACTERS), score }];
}

/** As it stands, or, an identifier of humps, by all of them. */
function wordCount(spaced: string, parts: ReadonlySet<string>, word: string, last: boolean): number {
  const whole = count(spaced, parts, word.toLowerCase(), last);
  const bits = runs(humps(word));
  return whole > 0 || bits.length < 2 ? whole : Math.min(...bits.map((bit) => count(spaced, parts, bit, false)));
}

/** How often the word stands in the text: as a word, as a hump of one, as a beginning where the word is the query's last; scripts without spaces, anywhere. */
function count(spaced: string, parts: ReadonlySet<string>, word: string, last: boolean): number {
  if (UNSPACED.test(word)) return spaced.split(word).length - 1;
  const prefix = last && word.length >= 3;
  const times = spaced.split(prefix ? ` ${word}` : ` ${word} `).length - 1;
  const hump = [...parts].some((part) => (prefix ? part.startsWith(word) : part === word));
  return times + (hump ? 1 : 0);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function runs(text: string): string[] {
  return runsAsWritten(text.toLowerCase());
}

function runsAsWritten(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu) ?? [];
}

function humps(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

function entryText(entry: Entry): string {
  if (entry.kind === 'message') return entry.message.content.map((part) => partText(part)).join('\n');
  if (entry.kind === 'custom') return entry.shown ?? '';
  if (entry.kind === 'branch-summary') return entry.summary;
  if (entry.kind !== 'compaction') return '';
  return entry.segments.map((segment) => (segment.show === 'summary' && 'inline' in segment.text ? segment.text.inline : '')).join('\n');
}

type Part = Extract<Entry, { kind: 'message' }>['message']['content'][number];
function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text;
  if (part.type === 'tool-call') return `${part.toolName} ${strings(part.input).join('\n')}`;
  return part.type === 'tool-result' ? outputText(part.output) : '';
}

function outputText(output: ToolOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'content') return output.value.map((piece) => (piece.type === 'text' ? piece.text : '')).join('\n');
  return strings(output.value).join('\n');
}

/** Every key and every leaf. */
function strings(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(strings);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
}
