import { expect, it } from 'vitest';
import { callsOf, resultIdsOf, unanswered } from './calls.ts';
import type { Message, ToolResultPart } from './parts.ts';

const call = (id: string, more: object = {}): object => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: { id }, ...more });
const asking = (...content: readonly object[]): Message => ({ role: 'assistant', content: content as never });
const result = (id: string): ToolResultPart => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  output: { type: 'text', value: '' },
});

it('takes from an asking message the calls of the host, in their order', () => {
  const message = asking(
    { type: 'text', text: 'look' },
    call('b'),
    call('own', { providerExecuted: true }),
    call('a', { providerExecuted: false }),
  );
  expect(callsOf(message)).toEqual([
    { id: 'b', name: 'read', input: { id: 'b' } },
    { id: 'a', name: 'read', input: { id: 'a' } },
  ]);
  expect(callsOf({ role: 'user', content: [] })).toEqual([]);
});

it('takes ids from results alone, not from those a provider gave in its reply', () => {
  expect(resultIdsOf({ role: 'tool', content: [result('x'), result('x'), result('y')] })).toEqual(['x', 'x', 'y']);
  expect(resultIdsOf(asking(result('x')))).toEqual([]);
});

it('lets a result answer one call, also where an id repeats', () => {
  const calls = callsOf(asking(call('x'), call('y'), call('x')));
  const ids = (...results: readonly string[]): readonly string[] => unanswered(calls, results).map(({ id }) => id);
  expect(ids()).toEqual(['x', 'y', 'x']);
  expect(ids('x')).toEqual(['y', 'x']);
  expect(ids('y', 'x', 'x', 'stray')).toEqual([]);
});
