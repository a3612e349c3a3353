import { expect, it } from 'vitest';
import type { EngineDefinition } from '@palimpsest/contracts';
import { definition } from '../test/definitions.ts';
import { EngineRegistry } from './engine-registry.ts';

it('keeps definitions by name, in the order of registration', () => {
  const registry = new EngineRegistry();
  const one = definition('one');
  registry.register(one);
  registry.register(definition('another'));
  expect(registry.get('one')).toBe(one);
  expect(registry.get('nobody')).toBeNull();
  expect(registry.names()).toEqual(['one', 'another']);
});

it('gives a name once, and never the name of the built-in', () => {
  const registry = new EngineRegistry();
  const first = definition('one');
  registry.register(first);
  expect(() => {
    registry.register(definition('one'));
  }).toThrow(expect.objectContaining({ code: 'ENGINE_NAME_TAKEN' }));
  expect(() => {
    registry.register(definition('compressor'));
  }).toThrow(expect.objectContaining({ code: 'ENGINE_NAME_TAKEN', message: expect.stringContaining('built-in') as string }));
  expect(registry.get('one')).toBe(first);
  expect(registry.names()).toEqual(['one']);
});

it.each([
  [definition('Bad Name'), 'name: '],
  [definition('one', { contract: '^2.0' }), 'contract ^2.0 is asked for'],
  [definition('one', { needs: ['gpu', 'search'] }), 'it needs gpu, which this host does not offer'],
  [definition('one', { provides: ['memory'] }), 'it provides no context-engine'],
  [definition('one', { marks: { strat: 5 } as object }), 'marks: Unrecognized key: "strat"'],
  [{ ...definition('one'), factory: 3 }, 'its factory is no function'],
  [{ manifest: {}, factory: 3 }, 'name: '],
])('refuses %j', (wrong, problem) => {
  const registry = new EngineRegistry();
  expect(() => {
    registry.register(wrong as unknown as EngineDefinition);
  }).toThrow(expect.objectContaining({ code: 'PLUGIN_MANIFEST_INVALID', message: expect.stringContaining(problem) as string }));
  expect(registry.names()).toEqual([]);
});
