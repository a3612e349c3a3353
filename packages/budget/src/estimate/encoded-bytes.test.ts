import { describe, expect, it } from 'vitest';
import { stretchAt } from './encoded-bytes.ts';

const encoded = (text: string): boolean => stretchAt(text, 0).encoded;
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + ((at * at) >> 3)) % 256));

describe('stretchAt', () => {
  it.each([
    ['base64', bytes(300).toString('base64')],
    ['a line of base64', bytes(57).toString('base64')],
    ['base64 of text', Buffer.from('When the window is full, older turns are replaced by a summary.').toString('base64')],
  ])('takes %s for encoded bytes', (_, text) => {
    expect(encoded(text)).toBe(true);
  });

  it.each([
    ['a word', 'internationalization'],
    ['a sentence', 'When the window is full, older turns are replaced.'],
    ['a long name', 'AbstractSingletonProxyFactoryBeanDefinitionParserRegistry'],
    ['a path', 'packages/budget/src/estimate/estimate/tokens/measured/again'],
    ['a long constant', 'MAXIMUMNUMBEROFCONCURRENTCONNECTIONSPERHOST'],
    ['a hash', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['a short piece of base64', 'aGVsbG8gd29ybGQ='],
  ])('does not take %s for it', (_, text) => {
    expect(encoded(text)).toBe(false);
  });

  it('says how far what it found goes, always further than where it began', () => {
    const text = `${bytes(60).toString('base64')} and then words`;
    expect(stretchAt(text, 0).to).toBe(80);
    expect(stretchAt('word (x)', 0).to).toBeGreaterThan(0);
    expect(stretchAt('x', 0).to).toBeGreaterThan(0);
  });
});
