import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPalimpsestError } from '@palimpsest/contracts';
import { parseManifest, readManifest } from './manifest.ts';

const least = 'name: deep\nversion: 1.0.0\ncontract: ^1.0\nmain: engine.mjs\n';
const failure = (text: string): unknown => {
  try {
    return parseManifest(text, 'p/plugin.yaml');
  } catch (error) {
    return error;
  }
};

describe('what a manifest says', () => {
  it('needs name, version, contract and main', () => {
    expect(parseManifest(least, 'f')).toEqual({
      name: 'deep',
      version: '1.0.0',
      contract: '^1.0',
      main: 'engine.mjs',
      description: '',
      provides: ['context-engine'],
      owns: [],
      needs: [],
      permissions: [],
      options: { type: 'object', properties: {}, additionalProperties: false },
    });
  });

  it.each<readonly [string, number | null, string]>([
    ['', 1, 'name: is missing; version: is missing; contract: is missing; main: is missing'],
    ['- a', 1, 'Invalid input'],
    [`${least}nme: x`, 5, 'nme: Unrecognized key: "nme"'],
    ['version: 1.0.0\ncontract: ^1.0\nmain: x\nname: Deep', 4, 'name: lower-case letters, digits and dashes, a letter first'],
    [`${least}owns:\n  - reduce\n  - all`, 5, 'owns.1: Invalid input'],
    [`${least}marks:\n  low: 3\n  hard: many`, 7, 'marks.hard: Invalid input: expected number, received string'],
    [`${least}marks:\n  strat: 3`, 6, 'marks.strat: Unrecognized key: "strat"'],
    [`${least}permissions: [Network access]`, 5, 'permissions.0: lower-case letters, digits and dashes, a letter first'],
    [`${least}options:\n  type: nonsense`, 5, 'options: no JSON Schema that can be checked'],
    [`${least}name: deep`, 5, 'a key is written twice'],
    [`${least}description: [`, 5, 'Flow sequence'],
    [`${least}description: !run x`, 5, 'Unresolved tag: !run'],
    [`${least}options: &a {x: *a}`, 5, 'options: nested deeper than 200 levels'],
    [`${least}description: *none`, null, 'cannot be parsed: Unresolved alias'],
  ])('%j', (text, line, problem) => {
    const error = failure(text);
    expect(isPalimpsestError(error, 'PLUGIN_MANIFEST_INVALID')).toBe(true);
    expect(error).toMatchObject({
      kind: 'plugin',
      details: { file: 'p/plugin.yaml', line, problem: expect.stringContaining(problem) as string },
    });
    expect((error as Error).message).toContain(line === null ? 'p/plugin.yaml: ' : `p/plugin.yaml:${String(line)}: `);
  });

  it.each([
    ['nesting', '['.repeat(30_000)],
    [
      'aliases',
      `a0: &a0 [x]\n${[1, 2, 3, 4, 5, 6, 7].map((n) => `a${String(n)}: &a${String(n)} [${`*a${String(n - 1)},`.repeat(9)}]`).join('\n')}`,
    ],
  ])('survives %s without end', (_, text) => {
    expect(isPalimpsestError(failure(text), 'PLUGIN_MANIFEST_INVALID')).toBe(true);
  });

  it('is a manifest or a typed error, whatever the text', () => {
    const row = fc.tuple(
      fc.constantFrom('name', 'version', 'contract', 'main', 'options', 'owns', 'marks', '<<', '- ', '  x'),
      fc.constantFrom(': ', ':', ''),
      fc.constantFrom('deep', '1', '[', '{}', '*a', '&a x', '', '"', '^1.0'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(row, { maxLength: 8 }).map((rows) => rows.map((parts) => parts.join('')).join('\n')),
        ),
        (text) => {
          const result = failure(text);
          expect(isPalimpsestError(result, 'PLUGIN_MANIFEST_INVALID') || !(result instanceof Error)).toBe(true);
        },
      ),
      { seed: 41, numRuns: 1_000 },
    );
  });
});

describe('files', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'palimpsest-manifest-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('reads one', async () => {
    await writeFile(join(root, 'plugin.yaml'), least);
    expect((await readManifest(join(root, 'plugin.yaml'))).name).toBe('deep');
  });

  it.each([
    ['a missing one', 'ENOENT', (): Promise<unknown> => Promise.resolve()],
    ['a folder', 'it is no file', (file: string): Promise<unknown> => mkdir(file)],
    ['a large one', 'it is larger than 65536 bytes', (file: string): Promise<unknown> => writeFile(file, '#'.repeat(65_537))],
    ['a device without end', 'it is no file', (file: string): Promise<unknown> => symlink('/dev/zero', file)],
  ])('refuses %s', async (_, problem, make) => {
    await make(join(root, 'plugin.yaml'));
    await expect(readManifest(join(root, 'plugin.yaml'))).rejects.toMatchObject({
      code: 'PLUGIN_MANIFEST_INVALID',
      details: { file: join(root, 'plugin.yaml'), problem: expect.stringContaining(problem) as string },
    });
  });
});
