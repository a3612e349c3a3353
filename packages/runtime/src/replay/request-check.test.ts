import { expect, it } from 'vitest';
import type { Message, ModelRequest } from '@palimpsest/contracts';
import { pairFaults, requestFaults } from './request-check.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const asks = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 't', input: {} })),
});
const answers = (...ids: string[]): Message => ({
  role: 'tool',
  content: ids.map((toolCallId) => ({ type: 'tool-result', toolCallId, toolName: 't', output: { type: 'text', value: 'x' } })),
});
const request = (...messages: Message[]): ModelRequest => ({ route: 'openai-chat:a/b', system: '', tools: [], messages, settings: {} });

it('finds nothing in a well-formed request, parallel calls answered one by one included', () => {
  expect(requestFaults(request(user, asks('a', 'b'), answers('b'), answers('a'), user))).toEqual([]);
  expect(pairFaults([user, asks('a', 'a'), answers('a'), answers('a')])).toEqual([]);
});

it.each([
  ['an unanswered call', [user, asks('a'), user], 'calls a are unanswered'],
  ['an unanswered call at the end', [user, asks('a', 'b'), answers('a')], 'calls b are unanswered at the end'],
  ['a result nobody asked for', [user, answers('a')], 'result a has no call'],
  ['a result given twice', [user, asks('a'), answers('a'), answers('a')], 'result a has no call'],
  ['a result behind another message', [user, asks('a'), user, answers('a')], 'result a has no call'],
])('finds %s', (_name, messages, fault) => {
  expect(pairFaults(messages).join('; ')).toContain(fault);
});

it('finds empty messages and a request that does not begin with the user', () => {
  expect(requestFaults(request(asks('a'), answers('a'))).join()).toContain('first message');
  expect(requestFaults(request(user, { role: 'assistant', content: [] })).join()).toContain('message 1 is empty');
  expect(requestFaults(request({ role: 'user', content: [{ type: 'text', text: ' \n' }] })).join()).toContain('message 0 is empty');
});

it('finds call ids that an earlier call of the request has, in another message or the same one', () => {
  const repeated = (at: number): string => `message ${String(at)}: the id of call a is that of an earlier call`;
  expect(requestFaults(request(user, asks('a', 'b'), answers('a', 'b'), asks('a'), answers('a'), asks('c'), answers('c')))).toEqual([
    repeated(3),
  ]);
  expect(requestFaults(request(user, asks('a', 'a'), answers('a', 'a')))).toEqual([repeated(1)]);
  const ran: Message = {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'a', toolName: 'search', output: { type: 'text', value: 'x' } },
    ],
  };
  expect(requestFaults(request(user, asks('a'), answers('a'), ran))).toEqual([repeated(3)]);
});
