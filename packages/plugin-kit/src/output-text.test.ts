import { expect, it } from 'vitest';
import { outputText } from './output-text.ts';

it('gives text as it is, data as JSON, and names what is not text', () => {
  expect(outputText({ type: 'text', value: 'a "b"' })).toBe('a "b"');
  expect(outputText({ type: 'error-text', value: 'no' })).toBe('no');
  expect(outputText({ type: 'json', value: { a: [1] } })).toBe('{"a":[1]}');
  const picture = { type: 'image-data', mediaType: 'image/png', data: 'AAAA' } as const;
  expect(outputText({ type: 'content', value: [{ type: 'text', text: 'see' }, picture] })).toBe('see\n[image/png]');
});
