/**
 * What a word is, for the index and for a query alike; the index itself splits at blanks only. Words are runs of letters and
 * digits, lower case, without accents. `fooBar` counts as `foobar` and, beside it, as `foo bar`. Scripts without blanks are
 * indexed as pairs of characters, so that any stretch of such a text can be found.
 */
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const DENSE = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&${LETTER}]`;
/** Making them takes longer than all else that a short command loads. */
const RUN = onceMade(() => new RegExp(`${DENSE}+|[${LETTER}--${DENSE}]+`, 'gv'));
const DENSE_RUN = onceMade(() => new RegExp(`^${DENSE}`, 'v'));
const ASCII_RUN = /[A-Za-z0-9]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const ACCENTS = /[\u0300-\u036f]/g;

/** A longer word is an encoded blob: its beginning is enough to find it by. */
const LONGEST_WORD = 64;
const SHORTEST_PREFIX = 3;
/** Of a longer text its beginning and its end are indexed: a dump of many MB would cost the index more than all else in the session. Characters. */
const INDEXED_HEAD = 384 * 1024;
const INDEXED_TAIL = 128 * 1024;

/** The text as the index is given it: words in order, and the pairs that occur. */
export interface Indexed {
  readonly words: string;
  readonly pairs: string;
}

export function indexedText(whole: string): Indexed {
  const text = bounded(whole);
  const words: string[] = [];
  const humped = new Set<string>();
  const pairs = new Set<string>();
  for (const run of runsOf(text)) {
    if (DENSE_RUN().test(run)) addPairs(pairs, run, true);
    else {
      words.push(folded(run));
      const humps = humpsOf(run);
      if (humps.length > 1) humped.add(humps.join(' '));
    }
  }
  return { words: [...words, ...humped].join(' '), pairs: [...pairs].join(' ') };
}

/** What is indexed of a text: all of it, or both ends of a dump. */
function bounded(text: string): string {
  return text.length <= INDEXED_HEAD + INDEXED_TAIL ? text : `${text.slice(0, INDEXED_HEAD)}\n${text.slice(-INDEXED_TAIL)}`;
}

/** The query in the index's own language; null: nothing to ask of that index. `dense` are the runs that have to stand in the text. */
export interface Match {
  readonly words: string | null;
  readonly pairs: string | null;
  readonly dense: readonly string[];
}

/** Null: there is no word in the query. */
export function matchQuery(text: string): Match | null {
  const written = text.split(/\s+/u).filter((word) => runsOf(word).length > 0);
  const terms = new Set(written.flatMap((word, index) => termsOf(word, index === written.length - 1)));
  const dense = [...new Set(written.flatMap((word) => runsOf(word).filter(isDense)))];
  const pairs = new Set(dense.map(denseTerm));
  if (terms.size + pairs.size === 0) return null;
  return { words: all(terms), pairs: all(pairs), dense };
}

/** How often the run of a script without blanks stands in the text. */
export function denseCount(text: string, run: string): number {
  return text.normalize('NFKC').split(run).length - 1;
}

/** The query's words as they may stand in a text, longest first: where to look for a snippet. */
export function needles(text: string): string[] {
  const runs = runsOf(text).flatMap((run) => [run, ...humpsOf(run)]);
  return [...new Set(runs.map((run) => run.toLowerCase()))].sort((one, other) => other.length - one.length);
}

/** Lower case without accents. */
export function folded(run: string): string {
  const lower = run.toLowerCase();
  return (ASCII.test(lower) ? lower : lower.normalize('NFD').replace(ACCENTS, '').normalize('NFC')).slice(0, LONGEST_WORD).toWellFormed();
}

function runsOf(text: string): readonly string[] {
  return ASCII.test(text) ? (text.match(ASCII_RUN) ?? []) : (text.normalize('NFKC').match(RUN()) ?? []);
}

function humpsOf(run: string): string[] {
  return run.length > LONGEST_WORD ? [] : run.split(HUMP).map(folded);
}

function isDense(run: string): boolean {
  return DENSE_RUN().test(run);
}

function all(terms: ReadonlySet<string>): string | null {
  return terms.size === 0 ? null : [...terms].join(' AND ');
}

/** One condition for each stretch of words: `src/a.ts` has to stand like that, not just its parts anywhere. */
function termsOf(word: string, last: boolean): string[] {
  const stretches: string[][] = [[]];
  for (const run of runsOf(word)) {
    if (isDense(run)) stretches.push([]);
    else stretches.at(-1)?.push(run);
  }
  return stretches.flatMap((runs, index) => (runs.length === 0 ? [] : [stretchTerm(runs, last && index === stretches.length - 1)]));
}

function stretchTerm(runs: readonly string[], last: boolean): string {
  const star = last && (runs.at(-1) ?? '').length >= SHORTEST_PREFIX ? ' *' : '';
  const whole = `"${runs.map(folded).join(' ')}"${star}`;
  const humps = runs.length === 1 ? humpsOf(runs[0] ?? '') : [];
  return humps.length > 1 ? `(${whole} OR "${humps.join(' ')}"${star})` : whole;
}

/** A single character begins a pair, or stands alone at the end of a run. */
function denseTerm(run: string): string {
  const pairs = new Set<string>();
  addPairs(pairs, run, false);
  return pairs.size === 0 ? `"${run}" *` : [...pairs].map((pair) => `"${pair}"`).join(' AND ');
}

function addPairs(pairs: Set<string>, run: string, withLast: boolean): void {
  let before = '';
  for (const character of run) {
    if (before !== '') pairs.add(before + character);
    before = character;
  }
  if (withLast) pairs.add(before);
}

function onceMade(make: () => RegExp): () => RegExp {
  let made: RegExp | null = null;
  return () => (made ??= make());
}
