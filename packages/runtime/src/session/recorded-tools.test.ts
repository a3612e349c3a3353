import { expect, it } from 'vitest';
import type { EngineTool, ToolSchema } from '@palimpsest/contracts';
import { recordedTools } from './recorded-tools.ts';

const schema = (name: string): ToolSchema => ({ name, description: '', inputSchema: { type: 'object' } });
const own: EngineTool = { ...schema('lcm_grep'), run: () => Promise.resolve('') };

it('leaves the engine what is its own, and shows each name once', () => {
  const { tools, doubled } = recordedTools([schema('read'), schema('lcm_grep'), schema('a.b'), schema('a_b'), schema('read')], {
    tools: [own],
  });
  expect(tools.map(({ name }) => name)).toEqual(['read', 'a.b']);
  expect(doubled).toEqual(['a_b', 'read']);
});

it('runs none of them', async () => {
  const [read] = recordedTools([schema('read')], {}).tools;
  await expect(read?.run({}, { signal: new AbortController().signal, callId: '' })).rejects.toThrow('not run');
});
