/**
 * What a word is, for the index and for a query alike; the index itself splits at blanks only. Words are runs of letters and
 * digits, lower case, without accents. `fooBar` counts as `foobar` and, beside it, as `foo bar`. Scripts without blanks are
 * indexed as pairs of characters, so that any stretch of such a text can be found.
 */
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const DENSE = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&${LETTER}]`;
const RUN = new RegExp(`${DENSE}+|[${LETTER}--${DENSE}]+`, 'gv');
const DENSE_RUN = new RegExp(`^${DENSE}`, 'v');
const ASCII_RUN = /[A-Za-z0-9]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const ACCENTS = /[\u0300-\u036f]/g;

/** A longer word is an encoded blob: its beginning is enough to find it by. */
const LONGEST_WORD = 64;
const SHORTEST_PREFIX = 3;

/** The text as the index is given it. */
export function indexWords(text: string): string {
  const words: string[] = [];
  const humped = new Set<string>();
  for (const run of runsOf(text)) {
    if (DENSE_RUN.test(run)) words.push(...pairs(run), lastCharacter(run));
    else {
      words.push(folded(run));
      const humps = humpsOf(run);
      if (humps.length > 1) humped.add(humps.join(' '));
    }
  }
  return [...words, ...humped].join(' ');
}

/** The query in the index's own language; null: there is no word in it. */
export function matchQuery(text: string): string | null {
  const words = text.split(/\s+/u);
  const terms = words.flatMap((word, index) => termsOf(word, words.slice(index + 1).every((rest) => runsOf(rest).length === 0)));
  return terms.length === 0 ? null : [...new Set(terms)].join(' AND ');
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
  return ASCII.test(text) ? text.match(ASCII_RUN) ?? [] : text.normalize('NFKC').match(RUN) ?? [];
}

function humpsOf(run: string): string[] {
  return run.length > LONGEST_WORD ? [] : run.split(HUMP).map(folded);
}

/** One condition for each stretch of runs of one sort: `src/a.ts` has to stand like that, not just its parts anywhere. */
function termsOf(word: string, last: boolean): string[] {
  const terms: string[] = [];
  let stretch: string[] = [];
  const flush = (end: boolean): void => {
    if (stretch.length > 0) terms.push(stretchTerm(stretch, last && end));
    stretch = [];
  };
  for (const run of runsOf(word)) {
    if (!DENSE_RUN.test(run)) stretch.push(run);
    else {
      flush(false);
      terms.push(denseTerm(run));
    }
  }
  flush(true);
  return terms;
}

function stretchTerm(runs: readonly string[], last: boolean): string {
  const star = last && (runs.at(-1) ?? '').length >= SHORTEST_PREFIX ? ' *' : '';
  const whole = `"${runs.map(folded).join(' ')}"${star}`;
  const humps = runs.length === 1 ? humpsOf(runs[0] ?? '') : [];
  return humps.length > 1 ? `(${whole} OR "${humps.join(' ')}"${star})` : whole;
}

function denseTerm(run: string): string {
  const all = pairs(run);
  return all.length === 0 ? `"${run}" *` : `"${all.join(' ')}"`;
}

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function lastCharacter(run: string): string {
  return [...run].at(-1) ?? '';
}
