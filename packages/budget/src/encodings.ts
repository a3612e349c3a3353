import { createRequire } from 'node:module';

/** The encodings that can be counted exactly. */
export type Encoding = 'o200k_base' | 'cl100k_base';

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number;
  clearMergeCache(): void;
}

/**
 * The tokenizer remembers pieces of what it counted, and a remembered piece keeps the whole text it was cut from in memory.
 * After this many characters it forgets them.
 */
const REMEMBERED_CHARACTERS = 4 * 1024 * 1024;

/** Foreign text may hold what looks like a special token; it is counted as the plain text it is. */
const PLAIN = { disallowedSpecial: new Set<string>() };

// `require` because a count that is needed now cannot wait for an import, and one copy of an encoding (2.4 MB of source) is enough.
const load = createRequire(import.meta.url);

const loaders: Readonly<Record<Encoding, () => Tokenizer>> = {
  o200k_base: () => load('gpt-tokenizer/encoding/o200k_base') as Tokenizer,
  cl100k_base: () => load('gpt-tokenizer/encoding/cl100k_base') as Tokenizer,
};

const loaded = new Map<Encoding, (text: string) => number>();

/** Whether this thread has the vocabulary in memory. */
export function isLoaded(encoding: Encoding): boolean {
  return loaded.has(encoding);
}

/** Counts one text that has no long runs. The first call for an encoding loads it (about 160 ms), on this thread. */
export function rawCounter(encoding: Encoding): (text: string) => number {
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  const counter = forgetful(loaders[encoding]());
  loaded.set(encoding, counter);
  return counter;
}

function forgetful(tokenizer: Tokenizer): (text: string) => number {
  let remembered = 0;
  return (text) => {
    remembered += text.length;
    if (remembered > REMEMBERED_CHARACTERS) {
      tokenizer.clearMergeCache();
      remembered = text.length;
    }
    return tokenizer.countTokens(text, PLAIN);
  };
}
