import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, ToolResultPart } from '@palimpsest/contracts';
import { CallIds } from './call-ids.ts';

const call = (toolCallId: string, more: object = {}): AssistantPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 't',
  input: {},
  ...more,
});
const result = (toolCallId: string, value = 'r'): ToolResultPart => ({
  type: 'tool-result',
  toolCallId,
  toolName: 't',
  output: { type: 'text', value },
});
const asks = (...ids: readonly string[]): Message => ({ role: 'assistant', content: ids.map((id) => call(id)) });
const answers = (...ids: readonly string[]): Message => ({ role: 'tool', content: ids.map((id) => result(id)) });

function named(...messages: readonly Message[]): readonly Message[] {
  const ids = new CallIds();
  return messages.map((message) => ids.named(message));
}
const idsIn = (messages: readonly Message[], type = /^tool-/u): readonly string[] =>
  messages.flatMap(({ content }) => content.flatMap((part) => ('toolCallId' in part && type.test(part.type) ? [part.toolCallId] : [])));
const idsOf = (...messages: readonly Message[]): string => idsIn(named(...messages)).join(' ');

describe('the ids of a request', () => {
  it('stay where they occur once, and so does the message', () => {
    const messages = [asks('a', 'b'), answers('b', 'a'), asks('c')];
    expect(named(...messages).every((message, at) => message === messages[at])).toBe(true);
  });

  it('are numbered where a later message repeats them, and the result goes with its own call', () => {
    expect(idsOf(asks('a'), answers('a'), asks('a', 'b'), answers('b'), answers('a'), asks('a'), answers('a'))).toBe(
      'a a a_2 b b a_2 a_3 a_3',
    );
  });

  it('are numbered within one message, answered in order', () => {
    expect(idsOf(asks('a', 'a', 'a'), answers('a', 'a'), answers('a'))).toBe('a a_2 a_3 a a_2 a_3');
  });

  it('give a result to the nearest call that has none yet', () => {
    expect(idsOf(asks('a'), asks('a'), answers('a'), answers('a'))).toBe('a a_2 a_2 a');
    expect(idsOf(answers('a'), asks('a'), answers('a', 'a'))).toBe('a a a a');
  });

  it('never meet one that a session really has, whichever comes first', () => {
    expect(idsOf(asks('a_2'), answers('a_2'), asks('a'), answers('a'), asks('a'), answers('a'))).toBe('a_2 a_2 a a a_3 a_3');
    expect(idsOf(asks('a', 'a', 'a_2'), answers('a_2', 'a', 'a'))).toBe('a a_2 a_2_2 a_2_2 a a_2');
  });

  it('are a hash where a number has no room, or the wire no letter for them', () => {
    const [long, foreign] = ['x'.repeat(40), 'call|1'];
    const list = idsIn(
      named(asks(long), answers(long), asks(long), answers(long), asks(foreign), answers(foreign), asks(foreign), answers(foreign)),
    );
    expect(list.every((id) => /^[A-Za-z0-9_-]{1,40}$/u.test(id))).toBe(true);
    expect(new Set(list).size).toBe(4);
    expect([0, 2, 4, 6].every((at) => list[at] === list[at + 1])).toBe(true);
  });

  it('keep what a provider ran apart from what the host has to answer', () => {
    const mixed: Message = { role: 'assistant', content: [call('x'), call('x', { providerExecuted: true }), result('x', 'own')] };
    expect(idsOf(mixed, answers('x'))).toBe('x x_2 x_2 x');
  });

  it('leave a renamed message one object as long as its ids stay', () => {
    const messages = [asks('a'), answers('a'), asks('a'), answers('a')];
    const [once, grown] = [named(...messages), named(...messages, asks('a'))];
    expect(once.every((message, at) => message === grown[at])).toBe(true);
    expect(idsIn(named(...messages.slice(2)))).toEqual(['a', 'a']);
  });

  it('are unique, paired as the raw ones are, and the same for every beginning, whatever a session has', () => {
    const id = fc.constantFrom('a', 'b', 'a_2', 'a_2_2', 'a_3', 'call|1', 'x'.repeat(40), 'x'.repeat(41));
    fc.assert(
      fc.property(fc.array(fc.array(id, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (rounds) => {
        const messages = rounds.flatMap((ids) => [asks(...ids), answers(...ids)]);
        const list = named(...messages);
        const calls = idsIn(list, /call/u);
        expect(new Set(calls).size).toBe(calls.length);
        expect(idsIn(list, /result/u)).toEqual(calls);
        for (let length = 0; length < messages.length; length += 1)
          expect(named(...messages.slice(0, length))).toEqual(list.slice(0, length));
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('take time by their count, also where each meets others', () => {
    const rounds = Array.from({ length: 40_000 }, (_, at) => [
      asks(at % 2 === 0 ? 'a' : `a_${String(at)}`),
      answers(at % 2 === 0 ? 'a' : `a_${String(at)}`),
    ]).flat();
    const started = performance.now();
    expect(new Set(idsIn(named(...rounds))).size).toBe(40_000);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
