import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isPalimpsestError, type EngineHost, type Json } from '@palimpsest/contracts';
import { defineContextEngine } from './define-context-engine.ts';
import { everything } from './plans.ts';

const options = z.strictObject({ depth: z.number().int().min(1).default(2), names: z.array(z.string()).default([]) });
const engine = defineContextEngine({
  name: 'deep',
  version: '1.2.3',
  options,
  manifest: { description: 'Looks far back.', owns: ['reduce'] },
  create: (host) => ({ plan: everything, status: () => ({ summary: `depth ${host.options.depth.toFixed(1)}` }) }),
});
const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
const parse = (raw: Json): unknown => engine.parseOptions?.(raw);

describe('the manifest', () => {
  it('carries what the author said, and the options as JSON Schema', () => {
    expect(engine.manifest).toMatchObject({
      name: 'deep',
      version: '1.2.3',
      contract: '^1.0',
      main: 'index.js',
      description: 'Looks far back.',
      provides: ['context-engine'],
      owns: ['reduce'],
      needs: [],
      options: {
        type: 'object',
        properties: { depth: { type: 'integer', minimum: 1, default: 2 }, names: { default: [] } },
        additionalProperties: false,
      },
    });
  });

  it.each([{ name: 'Deep' }, { name: '' }, { version: '' }, { manifest: { owns: ['everything'] } }, { manifest: { nonsense: 1 } }])(
    'refuses %j',
    (wrong) => {
      const error = thrown(() =>
        defineContextEngine({ name: 'deep', version: '1', create: () => ({ plan: everything }), ...(wrong as { name?: string }) }),
      );
      expect(isPalimpsestError(error, 'PLUGIN_MANIFEST_INVALID')).toBe(true);
    },
  );

  it('takes schemas that JSON Schema cannot say in full', () => {
    const odd = defineContextEngine({
      name: 'odd',
      version: '1',
      options: z.strictObject({ at: z.string().transform((text) => new Date(text)), any: z.custom<string>() }),
      create: () => ({ plan: everything }),
    });
    expect(odd.manifest.options).toMatchObject({ properties: { at: { type: 'string' }, any: {} } });
  });
});

describe('options', () => {
  it.each([[null], [{}]])('%j gives the defaults, frozen', (raw) => {
    const parsed = parse(raw) as { readonly names: readonly string[] };
    expect(parsed).toEqual({ depth: 2, names: [] });
    expect([Object.isFrozen(parsed), Object.isFrozen(parsed.names)]).toEqual([true, true]);
  });

  it('are refused with every fault at its path, one for each unknown key', () => {
    expect(thrown(() => parse({ depth: 0, names: ['a', 3], dept: 1, 'na-me': 2 }))).toMatchObject({
      code: 'CONFIG_INVALID',
      details: {
        path: 'depth',
        others: [{ path: 'names[1]' }, { path: 'dept', problem: 'no such option' }, { path: '["na-me"]', problem: 'no such option' }],
      },
    });
    expect(thrown(() => parse('x'))).toMatchObject({ code: 'CONFIG_INVALID', details: { path: '', others: [] } });
  });

  it('are none when the author names none', () => {
    const plain = defineContextEngine({ name: 'plain', version: '1', create: () => ({ plan: everything }) });
    expect(plain.parseOptions?.(null)).toEqual({});
    expect(thrown(() => plain.parseOptions?.({ a: 1 }))).toMatchObject({ code: 'CONFIG_INVALID', details: { path: 'a' } });
  });
});

it('creates one engine per call, with the host it is given', async () => {
  const host = { options: { depth: 7 } } as unknown as EngineHost<never>;
  const [one, other] = [await engine.factory(host), await engine.factory(host)];
  expect(one).not.toBe(other);
  expect(one.status?.()).toEqual({ summary: 'depth 7.0' });
});
