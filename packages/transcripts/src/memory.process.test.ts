import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { Scratch } from '../test/reading.ts';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
const MEGABYTE = 1_000_000;
const FILE_BYTES = 100 * MEGABYTE;

/** Writes pieces until the file is large; gives its path. */
function large(begin: string, piece: (at: number) => string, end: string): string {
  const file = scratch.write('');
  const handle = openSync(file, 'w');
  let bytes = writeSync(handle, begin);
  for (let at = 0; bytes < FILE_BYTES; at++) bytes += writeSync(handle, piece(at));
  writeSync(handle, end);
  closeSync(handle);
  return file;
}

/** Reads a file in a process of its own with a heap of 96 MB. */
function readApart(file: string): { readonly items: number; readonly records: number; readonly peakBytes: number } {
  const script = `
    import { openTranscript } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const { sessions } = await openTranscript(${JSON.stringify(file)});
    let items = 0;
    for await (const item of sessions[0].items()) items++;
    console.log(JSON.stringify({ items, records: sessions[0].report().records, peakBytes: process.resourceUsage().maxRSS * 1024 }));`;
  const node = ['--max-old-space-size=96', '--conditions=@palimpsest/source', '--input-type=module', '--eval', script];
  const ran = spawnSync(process.execPath, node, { encoding: 'utf8', cwd: fileURLToPath(new URL('../../../', import.meta.url)) });
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as { items: number; records: number; peakBytes: number };
}

const output = (at: number): string => 'a line of output, with "quotes" and déjà vu\n'.repeat(at % 40 === 0 ? 4000 : 40);
const time = '2026-01-01T00:00:00.000Z';
const pi = (at: number): string =>
  [
    { type: 'message', id: `u${String(at)}`, parentId: null, timestamp: time, message: { role: 'user', content: `do ${String(at)}` } },
    {
      type: 'message',
      id: `a${String(at)}`,
      parentId: `u${String(at)}`,
      timestamp: time,
      message: { role: 'assistant', content: [{ type: 'toolCall', id: `c${String(at)}`, name: 'bash', arguments: { at } }] },
    },
    {
      type: 'message',
      id: `r${String(at)}`,
      parentId: `a${String(at)}`,
      timestamp: time,
      message: { role: 'toolResult', toolCallId: `c${String(at)}`, content: [{ type: 'text', text: output(at) }] },
    },
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
const chat = (at: number): string =>
  [
    { role: 'user', content: `do ${String(at)}` },
    { role: 'assistant', content: null, tool_calls: [{ id: 'same', type: 'function', function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'same', content: output(at) },
  ]
    .map((one) => `,\n${JSON.stringify(one)}`)
    .join('');

const codex = (at: number): string =>
  [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `do ${String(at)}` }] },
    { type: 'function_call', call_id: `c${String(at)}`, name: 'shell', arguments: '{}' },
    { type: 'function_call_output', call_id: `c${String(at)}`, output: output(at) },
  ]
    .map((payload) => `${JSON.stringify({ timestamp: time, type: 'response_item', payload })}\n`)
    .join('');

describe('memory', () => {
  const kinds: readonly (readonly [string, () => string])[] = [
    ['JSONL', (): string => large(`${JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: time })}\n`, pi, '')],
    [
      'a Codex rollout',
      (): string => large(`${JSON.stringify({ timestamp: time, type: 'session_meta', payload: { id: 's' } })}\n`, codex, ''),
    ],
    ['a JSON document', (): string => large('{"model":"m","messages":[{"role":"system","content":"s"}', chat, ']}')],
  ];
  it.each(inject('soak') ? kinds : kinds.slice(0, 1))('does not grow with %s of 100 MB', (_name, make) => {
    const { items, records, peakBytes } = readApart(make());
    expect(records).toBeGreaterThan(20_000);
    expect(items).toBe(records - 1);
    expect(peakBytes).toBeLessThan(256 * MEGABYTE);
  });
});
