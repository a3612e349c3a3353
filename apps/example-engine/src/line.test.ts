import type { Placed } from '@palimpsest/plugin-kit';
import { expect, it } from 'vitest';
import { lineOf, together, workOf } from './line.ts';

type Part = { readonly type: string };
const said = (role: string, ...content: readonly Part[]): Placed =>
  ({ entry: { kind: 'message', message: { role, content } }, shape: { kind: 'whole' } }) as unknown as Placed;
const text = (words: string): Part => ({ type: 'text', text: words }) as Part;
const call = (toolCallId: string, toolName: string, input: unknown): Part => ({ type: 'tool-call', toolCallId, toolName, input }) as Part;
const answer = (toolCallId: string, value: string): Part => ({ type: 'tool-result', toolCallId, output: { type: 'text', value } }) as Part;

it('tells what was called with what, how the answer began, and what was said at last', () => {
  const work = workOf([
    said('assistant', text('Let me look.'), call('a', 'read', { path: 'src/a.ts' }), call('b', 'find', { in: 'src', name: '*.ts' })),
    said('tool', answer('a', 'export const a = 1;\nexport const b = 2;'), answer('b', 'a.ts')),
    said('assistant', text('It is mended.')),
  ]);
  expect(lineOf(work)).toBe(
    'Done: read src/a.ts → export const a = 1; export const b = 2;; find {"in":"src","name":"*.ts"} → a.ts. Said: It is mended.',
  );
});

it('is nothing where nothing was done', () => {
  expect(lineOf(workOf([]))).toBe('');
  expect(lineOf(workOf([said('user', text('Words of the user are no work.'))]))).toBe('');
});

it('tells the newest six calls, and how many came before', () => {
  const steps = Array.from({ length: 9 }, (_, at) => workOf([said('assistant', call(String(at), `t${String(at)}`, at))]));
  expect(lineOf(steps.reduce(together))).toBe(
    `Done: 3 calls; ${[3, 4, 5, 6, 7, 8].map((at) => `t${String(at)} ${String(at)} → no answer`).join('; ')}.`,
  );
});

it('cuts between characters, and shows no control', () => {
  const line = lineOf(workOf([said('assistant', text(`${'👍🏽'.repeat(40)}`))]));
  expect(line.isWellFormed()).toBe(true);
  expect(line.endsWith('…')).toBe(true);
  expect(lineOf(workOf([said('assistant', text('a\u001b[2J\n\nb\ud800'))]))).toBe('Said: a [2J b\ufffd');
});
