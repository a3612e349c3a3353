import { readFileSync } from 'node:fs';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countExactly, countTokens, EXACT_CHARACTERS, sampleOf, SLICE_CHARACTERS } from './count-tokens.ts';
import { withoutLongRuns } from './runs.ts';

const plain = { disallowedSpecial: new Set<string>() };
const reference = { o200k_base: o200k, cl100k_base: cl100k };
const source = readFileSync(new URL('./count-tokens.ts', import.meta.url), 'utf8');

const texts: Readonly<Record<string, string>> = {
  nothing: '',
  prose: 'The quick brown fox jumps over the lazy dog; it isn\'t "lazy" itself. '.repeat(60),
  code: source,
  json: JSON.stringify(
    Array.from({ length: 200 }, (_, id) => ({ id, name: `item-${String(id)}`, tags: ['a', null], ratio: id / 7 })),
    null,
    2,
  ),
  chinese: '上下文窗口之外的内容不会消失，它仍然保存在日志里。'.repeat(100),
  korean: '대화가 길어지면 오래된 부분을 요약합니다. 원본은 지워지지 않습니다.\n'.repeat(60),
  japanese: 'ログには全てが残り、要約は古い部分だけを覆います。テスト。'.repeat(80),
  emoji: '👩‍👩‍👧‍👦 🇰🇷 👍🏽 ☕️ '.repeat(100),
  special: 'a <|endoftext|> b <|fim_prefix|><|im_start|>user<|im_end|> <|endofprompt|>'.repeat(20),
  whitespace: 'a \t \r\n\r\n  b\u00a0\u3000c\n'.repeat(200),
  surrogates: 'x\ud800y\udc00z'.repeat(200),
};

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  it.each(Object.entries(texts))('counts %s as the tokenizer does', (_, text) => {
    expect(countTokens(text, encoding)).toBe(reference[encoding].countTokens(text, plain));
  });

  it('counts special tokens as plain text', () => {
    expect(countTokens('<|endoftext|>', encoding)).toBeGreaterThan(1);
  });
});

describe('hostile text', () => {
  it('costs one slice per 1,000 characters, however long the run is', () => {
    expect(withoutLongRuns('a'.repeat(80_000))).toHaveLength(80);
    expect(countExactly('a'.repeat(80_000), 'o200k_base')).toBe(80 * countExactly('a'.repeat(1000), 'o200k_base'));
  });

  it('cut or whole, a run counts about the same', () => {
    const whole = o200k.countTokens('a'.repeat(8000), plain);
    expect(Math.abs(countExactly('a'.repeat(8000), 'o200k_base') / whole - 1)).toBeLessThan(0.03);
  });
});

describe('text above the exact limit', () => {
  const long = texts['code']?.repeat(Math.ceil(600_000 / source.length)) ?? '';

  it('is sampled: one slice of 1,000 characters in 8,000', () => {
    const { slices, scale } = sampleOf(long);
    expect(slices).toHaveLength(Math.ceil(long.length / 8000));
    expect(slices[3]).toBe(long.slice(24_000, 25_000));
    expect(scale).toBeGreaterThan(7.9);
    expect(scale).toBeLessThan(8.1);
  });

  it('is counted within a few percent', () => {
    const exact = o200k.countTokens(long, plain);
    expect(Math.abs(countTokens(long, 'o200k_base') / exact - 1)).toBeLessThan(0.04);
  });

  it('begins one character above it', () => {
    const unit = 'ab '.repeat(EXACT_CHARACTERS);
    expect(sampleOf(unit.slice(0, EXACT_CHARACTERS))).toEqual({ slices: [unit.slice(0, EXACT_CHARACTERS)], scale: 1 });
    expect(sampleOf(unit.slice(0, EXACT_CHARACTERS + 1)).slices[0]).toHaveLength(SLICE_CHARACTERS);
  });

  it('is never cut inside a surrogate pair', () => {
    const { slices } = sampleOf(`x${'😀'.repeat(EXACT_CHARACTERS)}`);
    expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
  });

  it('scales by what was counted, also when the last slice is short', () => {
    const text = 'ab '.repeat(EXACT_CHARACTERS).slice(0, 8000 * 40 + 10);
    const { slices, scale } = sampleOf(text);
    expect(slices.reduce((sum, slice) => sum + slice.length, 0) * scale).toBeCloseTo(text.length, 5);
  });
});
