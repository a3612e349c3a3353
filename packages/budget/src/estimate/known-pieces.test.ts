import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';
import { describe, expect, it } from 'vitest';
import { countExactly } from '../count-tokens.ts';
import { COSTLY_BLOCKS, KNOWN_PIECES } from './known-pieces-data.ts';
import { KNOWN_LENGTH, knownLength, packBlocks, packPieces, rareCharacter } from './known-pieces.ts';
import { HAN, HANGUL, isSign, scriptOf } from './scripts.ts';

const scripts = (text: string): number[] => Array.from({ length: text.length }, (_, at) => scriptOf[text.charCodeAt(at)] ?? 0);
const isEastAsian = (text: string): boolean => text !== '' && scripts(text).every((script) => script >= HAN && script <= HANGUL);
const isWideSigns = (text: string): boolean => text !== '' && /^[^\0-\x7f]+$/.test(text) && scripts(text).every(isSign);

const pieces = vocabulary
  .filter((entry): entry is string => typeof entry === 'string' && entry.length <= KNOWN_LENGTH)
  .filter((entry) => isEastAsian(entry.replace(/^ /, '')) || isWideSigns(entry.replace(/^ /, '').replace(/[\r\n]+$/, '')));

describe('the data that ships', () => {
  it('is what the vocabulary gives', () => {
    expect(Buffer.from(packPieces(pieces)).toString('base64') === KNOWN_PIECES).toBe(true);
    expect(Buffer.from(packBlocks((character) => countExactly(character, 'o200k_base'))).toString('base64')).toBe(COSTLY_BLOCKS);
  });
});

describe('knownLength', () => {
  it('knows every piece', () => {
    expect(pieces.length).toBeGreaterThan(10_000);
    expect(pieces.filter((piece) => knownLength(piece, 0, piece.length) !== piece.length)).toEqual([]);
  });

  it('is wrong about less than one other string in a hundred', () => {
    const known = new Set(pieces);
    const strangers = Array.from({ length: 20_000 }, (_, at) =>
      String.fromCharCode(0x4e00 + ((at * 7919) % 20_902), 0x4e00 + ((at * 104_729) % 20_902)),
    );
    const wrong = strangers.filter((pair) => !known.has(pair) && knownLength(pair, 0, 2) === 2);
    expect(wrong.length).toBeLessThan(200);
  });

  it('looks no further than it is told', () => {
    expect(knownLength('我们', 0, 2)).toBe(2);
    expect(knownLength('我们', 0, 1)).toBe(1);
    expect(knownLength('我们', 1, 1)).toBe(0);
  });
});

describe('rareCharacter', () => {
  it('gives what such a character costs, nearly always', () => {
    const rare = Array.from({ length: 5000 }, (_, at) => String.fromCharCode(0xac00 + ((at * 7919) % 11_172))).filter(
      (character) => knownLength(character, 0, 1) === 0,
    );
    const right = rare.filter((character) => rareCharacter(character.charCodeAt(0)) === countExactly(character, 'o200k_base'));
    expect(right.length / rare.length).toBeGreaterThan(0.98);
  });
});
