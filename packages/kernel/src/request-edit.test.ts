import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message, ModelRequest } from '@palimpsest/contracts';
import { edited, editOf, isKept, type RequestEdit } from './request-edit.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const request = (texts: readonly string[], system = 'sys'): ModelRequest => ({
  route: 'r',
  system,
  tools: [],
  messages: texts.map(say),
  settings: {},
});
const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });

it('rebuilds every request from what differs, through JSON', () => {
  fc.assert(
    fc.property(texts, texts, fc.constantFrom('sys', 'other'), (before, after, system) => {
      const [rendered, hooked] = [request(before), request(after, system)];
      const edit = JSON.parse(JSON.stringify(editOf(rendered, hooked))) as RequestEdit;
      expect(JSON.stringify(edited(rendered, edit, hooked.settings))).toBe(JSON.stringify(hooked));
      const kept = edit.messages.flatMap((part) => (isKept(part) ? Array.from({ length: part[1] }, (_, at) => part[0] + at) : []));
      expect(kept).toEqual([...new Set(kept)].sort((one, other) => one - other));
    }),
    { seed: 7, numRuns: 500 },
  );
});

it.each<[string, readonly string[], readonly string[], readonly unknown[]]>([
  ['nothing', ['a', 'b'], ['a', 'b'], [[0, 2]]],
  ['something at the end', ['a', 'b'], ['a', 'b', 'x'], [[0, 2], say('x')]],
  ['something in front', ['a', 'b'], ['x', 'a', 'b'], [say('x'), [0, 2]]],
  [
    'one of many that look the same left out',
    ['a', 'a', 'a', 'b'],
    ['a', 'a', 'b'],
    [
      [0, 2],
      [3, 1],
    ],
  ],
  ['one edited in the middle', ['a', 'b', 'c'], ['a', 'x', 'c'], [[0, 1], say('x'), [2, 1]]],
])('is small for what hooks do: %s', (_name, before, after, parts) => {
  expect(editOf(request(before), request(after)).messages).toEqual(parts);
});
