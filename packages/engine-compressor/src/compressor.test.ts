import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineManifest, isPalimpsestError, type Json } from '@palimpsest/contracts';
import { hostOf } from '../test/requests.ts';
import { compressor } from './compressor.ts';

/** Top-level keys whose values are JSON, which may go on over indented lines. */
function manifestFile(): { readonly [key: string]: Json } {
  const text = readFileSync(new URL('../plugin.yaml', import.meta.url), 'utf8');
  const pairs = text.split(/^(?=\w+: )/mu).filter((block) => !block.startsWith('#'));
  return Object.fromEntries(
    pairs.map((block): [string, Json] => [block.slice(0, block.indexOf(':')), JSON.parse(block.slice(block.indexOf(':') + 1)) as Json]),
  );
}

describe('the manifest', () => {
  it('is what plugin.yaml says', () => {
    expect(manifestFile()).toEqual(compressor.manifest);
    expect(engineManifest.parse(manifestFile())).toEqual(compressor.manifest);
  });

  it('names the built-in engine and has the package version', () => {
    const version: unknown = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: unknown })
      .version;
    expect(compressor.manifest).toMatchObject({ name: 'compressor', version, contract: '^1.0' });
  });
});

describe('options', () => {
  const parse = (raw: Json): unknown => compressor.parseOptions?.(raw);

  it('have the defaults of the documentation', () => {
    expect(parse({})).toEqual({
      protect_first_n: 3,
      protect_last_n: 20,
      target_ratio: 0.2,
      min_tail_user_messages: 1,
      max_summary_tokens: 10_000,
    });
  });

  it('are kept as they were asked for, and refused where they make no sense', () => {
    expect(parse({ target_ratio: 3 })).toMatchObject({ target_ratio: 3 });
    for (const bad of [
      { protect_first_n: -1 },
      { protect_last_n: 0 },
      { min_tail_user_messages: 0 },
      { target_ratio: 'much' },
      { threshhold: 0.5 },
    ]) {
      expect(() => parse(bad)).toThrowError(expect.toSatisfy((error: unknown) => isPalimpsestError(error, 'CONFIG_INVALID')));
    }
  });

  it('reach the engine', async () => {
    const engine = await compressor.factory(hostOf() as never);
    expect(engine.status?.()).toEqual({
      summary: '0 compactions proposed, last answer: none yet',
      details: { compactions: 0, last: 'none yet' },
    });
  });
});
