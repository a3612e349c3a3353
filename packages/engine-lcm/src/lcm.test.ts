import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Json } from '@palimpsest/contracts';
import { lcm } from './lcm.ts';

it('is what plugin.yaml says', () => {
  const text = readFileSync(new URL('../plugin.yaml', import.meta.url), 'utf8').replace(/^#.*\n/u, '');
  const blocks = text
    .split(/^(?=\w+: )/mu)
    .map((block): [string, Json] => [block.slice(0, block.indexOf(':')), JSON.parse(block.slice(block.indexOf(':') + 1)) as Json]);
  expect(Object.fromEntries(blocks)).toEqual(lcm.manifest);
});

it('refuses what it does not know', () => {
  expect(() => lcm.parseOptions?.({ tail_token: 1 })).toThrow(/tail_token/u);
  expect(lcm.parseOptions?.(null)).toMatchObject({ tail_tokens: 8000, fold_fanout: 6 });
});
