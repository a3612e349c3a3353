import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Delta } from '@palimpsest/contracts';
import { expect, it } from 'vitest';
import { StreamAssembly } from './stream-assembly.ts';

function assembled(parts: readonly LanguageModelV4StreamPart[], onDelta?: (delta: Delta) => void): StreamAssembly {
  const assembly = new StreamAssembly(onDelta);
  for (const part of parts) assembly.take(part);
  return assembly;
}

it('keeps blocks that arrive interleaved apart, in the order in which they began', () => {
  const { content, text } = assembled([
    { type: 'text-start', id: '1' },
    { type: 'reasoning-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'a' },
    { type: 'reasoning-delta', id: '1', delta: 'hm' },
    { type: 'text-delta', id: '1', delta: 'b' },
    { type: 'text-end', id: '1' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'c' },
  ]);
  expect(content).toEqual([
    { type: 'text', text: 'ab' },
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'c' },
  ]);
  expect(text).toBe('abc');
});

it('keeps what a provider said of a block, although a later piece says null', () => {
  const { content } = assembled([
    { type: 'reasoning-start', id: '1', providerMetadata: { openai: { itemId: 'rs', reasoningEncryptedContent: 'BLOB' } } },
    { type: 'reasoning-end', id: '1', providerMetadata: { openai: { reasoningEncryptedContent: null } } },
  ]);
  expect(content).toEqual([
    { type: 'reasoning', text: '', providerMetadata: { openai: { itemId: 'rs', reasoningEncryptedContent: 'BLOB' } } },
  ]);
});

it('opens a block for a piece that comes without a start, and tells no empty pieces', () => {
  const deltas: Delta[] = [];
  const { content } = assembled(
    [
      { type: 'text-delta', id: '9', delta: '' },
      { type: 'text-delta', id: '9', delta: 'x' },
    ],
    (delta) => deltas.push(delta),
  );
  expect(content).toEqual([{ type: 'text', text: 'x' }]);
  expect(deltas).toEqual([{ type: 'text-delta', text: 'x' }]);
});

it('holds on to the first fatal fault, over faults of single events', () => {
  const event = Object.assign(new Error('strange event'), { name: 'AI_TypeValidationError' });
  expect(assembled([{ type: 'error', error: event }]).fault).toEqual({ error: event, fatal: false });
  expect(
    assembled([
      { type: 'error', error: event },
      { type: 'error', error: 'one' },
      { type: 'error', error: 'two' },
    ]).fault,
  ).toEqual({ error: 'one', fatal: true });
});
