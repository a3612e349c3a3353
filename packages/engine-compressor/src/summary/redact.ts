/** Credentials never reach a summary. A small table: what it misses, the log still holds, but no summary repeats it on purpose. */
interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replace: string | ((match: string, ...groups: string[]) => string);
}

const MARK = '[redacted]';
/** Values that are no secret but a type, a reference or nothing. */
const harmless = /^(?:\$|process\.env|os\.environ|env\.|null\b|none\b|true\b|false\b|undefined\b|string\b|str\b|number\b|\[redacted)/iu;

function keepKey(match: string, key: string, value: string): string {
  return harmless.test(value.replace(/^["'`]+/u, '')) ? match : `${key}${MARK}`;
}

/** A prefix that nothing else has is found without a word border before it: escaped line ends leave an `n` there. Every quantifier before a required character is bounded: the texts come from tools and can be anything. */
const rules: readonly Rule[] = [
  {
    name: 'pem',
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/gu,
    replace: MARK,
  },
  {
    name: 'authorization',
    pattern: /\b((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?)(?:(?:bearer|basic|token|digest|negotiate)\s+)?[^\s"',;]+/giu,
    replace: `$1${MARK}`,
  },
  { name: 'bearer', pattern: /\b(bearer\s+)[A-Za-z0-9._~+/=-]{12,}/giu, replace: `$1${MARK}` },
  { name: 'cookie', pattern: /\b((?:set-)?cookie["']?\s{0,4}:\s{0,4})[^\r\n"']+/giu, replace: `$1${MARK}` },
  { name: 'url', pattern: /(:\/\/)[^\s/:@"'<>]{0,128}:[^\s/@"'<>]{1,256}@/gu, replace: `$1${MARK}@` },
  { name: 'sk', pattern: /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))sk-(?=[A-Za-z0-9_-]{0,48}\d)[A-Za-z0-9_-]{16,}/gu, replace: MARK },
  { name: 'stripe', pattern: /[spr]k_(?:live|test)_[A-Za-z0-9]{8,}/gu, replace: MARK },
  { name: 'github', pattern: /(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/gu, replace: MARK },
  {
    name: 'vendor',
    pattern:
      /(?:glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,})/gu,
    replace: MARK,
  },
  { name: 'aws-id', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}(?![A-Z0-9])/gu, replace: MARK },
  {
    name: 'jwt',
    pattern:
      /(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,1000}\.[A-Za-z0-9_-]{5,}|eyJ[A-Za-z0-9_-]{5,1000}\.eyJ[A-Za-z0-9_-]{5,})(?:\.[A-Za-z0-9_-]*)?/gu,
    replace: MARK,
  },
  { name: 'flag', pattern: /(--(?:password|passwd|token|secret|api-key|apikey)\s+)("[^"\n]*"|'[^'\n]*'|[^\s"';|&]+)/giu, replace: keepKey },
  {
    name: 'value',
    pattern:
      /((?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|credential|token)(?:["'`]|\\["'])?\s{0,4}[:=](?!=)\s{0,4})(\\?"[^"\n]*"|\\?'[^'\n]*'|[^\s,;&"'`<>(){}\\]+)/giu,
    replace: keepKey,
  },
];

/** Pure; redacting twice changes nothing. */
export function redact(text: string): string {
  return withoutKeyRest(
    rules.reduce(
      (clean, { pattern, replace }) => (typeof replace === 'string' ? clean.replace(pattern, replace) : clean.replace(pattern, replace)),
      text,
    ),
  );
}

/** A text that was cut in the middle of a key begins with the key's rest. */
function withoutKeyRest(text: string): string {
  const last = [...text.matchAll(/-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/gu)].at(-1);
  return last === undefined ? text : `${MARK}${text.slice(last.index + last[0].length)}`;
}
