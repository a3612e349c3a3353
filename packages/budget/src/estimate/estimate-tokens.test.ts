import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countExactly } from '../count-tokens.ts';
import { estimateTokens } from './estimate-tokens.ts';

const installed = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const read = (path: string): string => readFileSync(join(installed, path), 'utf8');

/** Files below a folder of an installed package, joined, until there is enough of them. */
function gathered(folder: string, ending: string, characters = 120_000): string {
  let text = '';
  for (const name of readdirSync(join(installed, folder), { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith(ending) && text.length < characters) text += `${read(join(folder, name))}\n`;
  }
  return text.slice(0, characters);
}

const messages = (language: string): string =>
  Object.values(JSON.parse(read(`typescript/lib/${language}/diagnosticMessages.generated.json`)) as Record<string, string>).join('\n');

/** Paragraphs of prose from read-me files: no code, no tables, no lists of links. */
function paragraphs(): string {
  const readmes = readdirSync(installed).flatMap((name) => {
    try {
      return [read(`${name}/README.md`)];
    } catch {
      return [];
    }
  });
  const prose = readmes.flatMap((text) => text.replace(/```[\s\S]*?```/g, '').split('\n'));
  return prose.filter((line) => /^[A-Z][^|`[\]<>{}]{80,}$/.test(line)).join('\n\n');
}

/** A stream of pseudo-random bytes, always the same for a seed. */
function bytes(seed: number, length: number): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
      return (state >>> 11) & 255;
    }),
  );
}
const lines = (text: string, width: number): string => (text.match(new RegExp(`.{1,${String(width)}}`, 'g')) ?? []).join('\n');

function hexLog(seed: number): string {
  const words = ['GET', 'connect', 'cache miss', 'frame', 'checksum'];
  return Array.from({ length: 900 }, (_, at) => {
    const chunk = bytes(seed + at, 32).toString('hex');
    const pairs = chunk.slice(0, 32).match(/../g)?.join(' ') ?? '';
    return [
      `2026-03-0${String(1 + (at % 9))} ${words[at % 5] ?? ''} id=${chunk}`,
      `0x${chunk.slice(0, 16).toUpperCase()} [${chunk.slice(40, 48)}] ${pairs}`,
    ][at % 2];
  }).join('\n');
}

const records = Array.from({ length: 700 }, (_, id) => ({
  id,
  name: `entry ${String(id % 50)}`,
  hash: bytes(id, 8).toString('hex'),
  ratio: Number((id / 7).toFixed(4)),
  tags: id % 3 === 0 ? [] : ['summary', 'kept'],
  parent: id === 0 ? null : { id: id - 1, open: id % 2 === 0 },
}));

const error = (text: string): number => estimateTokens(text) / countExactly(text, 'o200k_base') - 1;

const promised: readonly (readonly [string, () => string])[] = [
  ['TypeScript', () => gathered('zod/src/v4/core', '.ts')],
  ['type declarations', () => gathered('@types/node', '.d.ts')],
  ['JavaScript', () => gathered('eslint/lib', '.js')],
  ['compiled JavaScript', () => read('typescript/lib/_tsc.js').slice(2_000_000, 2_120_000)],
  ['C', () => read('better-sqlite3/deps/sqlite3/sqlite3.c').slice(3_000_000, 3_120_000)],
  ['C++', () => read('node-addon-api/napi-inl.h').slice(0, 120_000)],
  ['English prose', paragraphs],
  ['pretty JSON', () => JSON.stringify(records, null, 2)],
  ['minified JSON', () => JSON.stringify(records)],
  ['JSON of MIME types', () => read('mime-db/db.json').slice(0, 120_000)],
  ['Korean', () => messages('ko')],
  ['simplified Chinese', () => messages('zh-cn')],
  ['traditional Chinese', () => messages('zh-tw')],
  ['Japanese', () => messages('ja')],
  ['base64 in lines', () => lines(bytes(3, 60_000).toString('base64'), 76)],
  ['base64 in one line', () => bytes(4, 60_000).toString('base64')],
  ['base64 of prose', () => Buffer.from(paragraphs().slice(0, 60_000)).toString('base64')],
  ['base64 of a program', () => Buffer.from(read('typescript/lib/_tsc.js').slice(0, 60_000)).toString('base64')],
  ['base64 of indented JSON', () => Buffer.from(JSON.stringify(records.slice(0, 200), null, 4)).toString('base64')],
  ['a hexadecimal log', () => hexLog(5)],
  ['a hexadecimal stream', () => bytes(6, 40_000).toString('hex')],
];

const looser: readonly (readonly [string, () => string])[] = [
  ['markdown', () => gathered('typescript-eslint', '.md') + gathered('axios', '.md')],
  ['minified JavaScript', () => read('prettier/plugins/typescript.mjs').slice(0, 120_000)],
  ['numbers', () => Array.from({ length: 4000 }, (_, at) => `${String(at)},${((at * 7919) % 997) / 31},-${String(at / 8)}`).join('\n')],
  ['Russian', () => messages('ru')],
  ['German', () => messages('de')],
  ['French', () => messages('fr')],
  ['Spanish', () => messages('es')],
  ['emoji between words', () => ['done ✅ next 🚀 then 🎉', 'warn ⚠ stop ❌ ask 🤔', '├── a → b', '• one • two'].join('\n').repeat(900)],
  [
    'a mixture',
    () => [messages('ko'), gathered('eslint/lib', '.js'), hexLog(9), paragraphs()].map((text) => text.slice(0, 20_000)).join('\n'),
  ],
];

describe('the estimate is within 10 % for', () => {
  it.each(promised)('%s', (_, make) => {
    const text = make();
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    expect(Math.abs(error(text))).toBeLessThan(0.1);
  });
});

describe('the estimate is within 15 % for', () => {
  it.each(looser)('%s', (_, make) => {
    const text = make();
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    expect(Math.abs(error(text))).toBeLessThan(0.15);
  });
});

describe('the first pass', () => {
  it.each([
    ['', 0],
    ['1234567', 3],
    [' 1', 2],
    ['  12345', 4],
    ['\n\n\n', 1],
    ['    ', 1],
    ['\t\n', 1],
    ['😀', 1],
    ['我们', 1],
    ['─'.repeat(24), 2],
  ])('of %j comes to %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
    expect(countExactly(text, 'o200k_base')).toBe(tokens);
  });

  it('takes the end of a contraction with its word', () => {
    const text = "it's the engine's way, we don't mind ".repeat(50);
    expect(Math.abs(error(text))).toBeLessThan(0.1);
    expect(estimateTokens("x 's")).toBe(countExactly("x 's", 'o200k_base'));
  });
});

describe('any text', () => {
  it('has an estimate that is whole, not negative, and not above three tokens a character', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const tokens = estimateTokens(text);
      expect(Number.isInteger(tokens)).toBe(true);
      expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
      expect(tokens).toBeLessThanOrEqual(3 * text.length);
    });
    fc.assert(property, { seed: 3, numRuns: 1000 });
  });

  it('does not cost more when it follows a line end', () => {
    const parts = ['const a = 1;', 'Some words of prose', '{"a": [1, 2]}', '한국어 문장', '日本語の文'];
    for (const one of parts)
      for (const other of parts)
        expect(Math.abs(estimateTokens(`${one}\n${other}`) - estimateTokens(`${one}\n`) - estimateTokens(other))).toBeLessThanOrEqual(1);
  });
});
