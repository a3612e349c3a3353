/** A fault, planted into the workspace in memory, and the rule that has to find it there. */
export interface Plant {
  readonly rule: string;
  readonly file: string;
  /** The whole text, or a change to what stands there. */
  readonly text: string | ((before: string) => string);
}

const inFile =
  (file: string) =>
  (rule: string, text: string): Plant => ({ rule, file, text });
const inBudget = inFile('packages/budget/src/planted.ts');
const inBudgetTest = inFile('packages/budget/src/planted.test.ts');
const manifest = (rule: string, folder: string, change: (fields: Fields) => void): Plant => ({
  rule,
  file: `${folder}/package.json`,
  text: changed(change),
});
const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

type Fields = Record<string, unknown> & { dependencies: Record<string, string> };

const changed =
  (change: (fields: Fields) => void) =>
  (before: string): string => {
    const fields = { dependencies: {}, ...(JSON.parse(before) as object) } as Fields;
    change(fields);
    return JSON.stringify(fields);
  };

const method = (index: number): string => `  public${String(index)}(): void {}\n`;
const field = (index: number): string => `  readonly field${String(index)}: string;\n`;
const injected = (index: number): string => `    @inject(TOKEN) service${String(index)}: object,\n`;
const times = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join('');

const TABLE: readonly Plant[] = [
  inBudget('dependency-table', "import type { View } from '@palimpsest/prompt';\n"),
  inBudget('dependency-table', "export const later = (): Promise<unknown> => import('@palimpsest/kernel');\n"),
  inBudget('dependency-table', "export type Foreign = import('@palimpsest/store').Store;\n"),
  inBudget('dependency-table', "import { manual } from '@palimpsest/testing';\n"),
  inBudgetTest('dependency-table', "import { promptModule } from '@palimpsest/prompt';\n"),
  inFile('packages/contracts/src/planted.ts')('dependency-table', "import { bind } from '@palimpsest/wiring';\n"),
  inFile('packages/engine-compressor/src/planted.ts')('dependency-table', "import { bind } from '@palimpsest/wiring';\n"),
  inFile('packages/kernel/src/planted.ts')('dependency-table', "import { budgetModule } from '@palimpsest/budget';\n"),
  inFile('packages/plugin-kit/src/planted.ts')('dependency-table', "import { loadConfig } from '@palimpsest/config';\n"),
  inFile('apps/cli/src/planted.ts')('dependency-table', "import { budgetModule } from '@palimpsest/budget';\n"),
  manifest('dependency-table', 'packages/budget', (fields) => (fields.dependencies['@palimpsest/prompt'] = '0.1.0')),
  manifest('dependency-table', 'packages/prompt', (fields) => (fields['devDependencies'] = { '@palimpsest/budget': '0.1.0' })),
  inBudget('sole-importer', "import { container } from 'tsyringe';\n"),
  inBudget('sole-importer', "import 'reflect-metadata';\n"),
  inFile('packages/kernel/src/planted.ts')('sole-importer', "import { parse } from 'yaml';\n"),
  inFile('packages/runtime/src/planted.ts')('sole-importer', "import Database from 'better-sqlite3';\n"),
  inFile('packages/prompt/src/planted.ts')('sole-importer', "import { encode } from 'gpt-tokenizer/encoding/o200k_base';\n"),
  inFile('packages/runtime/src/planted.ts')('sole-importer', "import { createOpenAI } from '@ai-sdk/openai';\n"),
  manifest('sole-importer', 'packages/kernel', (fields) => (fields.dependencies['yaml'] = '^2.9.1')),
  inBudget('declared', "import { z } from 'zod';\n"),
  inBudget('declared', "import { readFileSync } from 'fs';\n"),
  manifest('unused-dependency', 'packages/kernel', (fields) => (fields.dependencies['picocolors'] = '1.1.1')),
  manifest('references', 'packages/kernel', (fields) => (fields.dependencies['@palimpsest/plugin-kit'] = '0.1.0')),
  { rule: 'references', file: 'packages/kernel/tsconfig.json', text: '{ "references": [] }' },
  { rule: 'references', file: 'tsconfig.json', text: '{ "references": [] }' },
];

const STRUCTURE: readonly Plant[] = [
  inBudget('deep-import', "import { errors } from '@palimpsest/contracts/src/errors/catalogue.ts';\n"),
  inBudget('deep-import', "import { errors } from '../../contracts/src/index.ts';\n"),
  inBudget('deep-import', "import { gone } from './gone.ts';\n"),
  inBudget('deep-import', "import { budgetModule } from './module.js';\n"),
  inBudget('cycle', "import type { Planted } from './planted.ts';\nexport type Planted = string;\n"),
  inBudget('export-star', "export * from './module.ts';\n"),
  inBudget('export-star', "export * as all from './module.ts';\n"),
  inBudget('default-export', 'export default 1;\n'),
  inBudget('default-export', 'export default function planted(): void {}\n'),
  inBudget('default-export', 'const planted = 1;\nexport { planted as default };\n'),
  inFile('packages/budget/src/inner/index.ts')('index', "export { planted } from './planted.ts';\n"),
  inFile('packages/budget/src/index.ts')('index', lines(41, "export { planted } from './planted.ts';")),
  inFile('packages/budget/src/index.ts')('index', 'export const planted = 1;\n'),
  inFile('packages/budget/src/index.ts')('index', "export { budgetModule, type Planted } from './module.ts';\n"),
  inFile('packages/budget/src/utils.ts')('name', ''),
  inFile('packages/budget/src/shared/planted.ts')('name', ''),
  inFile('packages/budget/src/token-helpers.ts')('name', ''),
  inFile('packages/budget/src/PlantedClass.ts')('name', ''),
  inFile('packages/budget/README.md')('readme', ''),
  manifest('manifest', 'packages/budget', (fields) => (fields['nx'] = { tags: ['layer:somewhere'] })),
  manifest('manifest', 'packages/budget', (fields) => (fields['exports'] = { '.': './dist/index.js' })),
  manifest('manifest', 'packages/budget', (fields) => delete fields['description']),
  manifest('manifest', 'packages/budget', (fields) => (fields['version'] = '9.9.9')),
  manifest('manifest', 'packages/kernel', (fields) => (fields['engines'] = { node: '>=20' })),
  manifest('manifest', 'packages/kernel', (fields) => (fields['license'] = 'ISC')),
  manifest('manifest', 'apps/cli', (fields) => delete fields['publishConfig']),
  manifest('manifest', 'tools/bench', (fields) => (fields['version'] = '9.9.9')),
];

const SIZE: readonly Plant[] = [
  inBudget('size-file', lines(401, '//')),
  inBudget('size-function', `export function planted(): void {\n${lines(59, '  void 0;')}}\n`),
  inBudget('size-function', `export const planted = (): void => {\n${lines(59, '  void 0;')}};\n`),
  inBudgetTest('size-function', `it('is long', () => {\n${lines(59, '  void 0;')}});\n`),
  inBudget('size-class', `export class Planted {\n${lines(249, '  //')}}\n`),
  inBudget('size-publicMethods', `export class Planted {\n${times(13, method)}}\n`),
  inBudget('size-injected', `export class Planted {\n  constructor(\n${times(7, injected)}  ) {}\n}\n`),
  inBudget('size-options', `export interface PlantedOptions {\n${times(9, field)}}\n`),
  { rule: 'one-screen', file: 'packages/kernel/src/turn.ts', text: lines(91, '//') },
  { rule: 'one-screen', file: 'packages/kernel/src/turn.ts', text: `//${'-'.repeat(120)}\n` },
];

const LANGUAGE: readonly Plant[] = [
  inBudget('any', 'export const planted: any = 1;\n'),
  inBudgetTest('any', 'export const planted = 1 as any;\n'),
  inBudget('non-null', 'export const planted = (text?: string): string => text!;\n'),
  inBudget('erasable', 'export enum Planted { One }\n'),
  inBudget('erasable', 'export class Planted {\n  constructor(private readonly one: string) {}\n}\n'),
  inBudget('console', 'console.log(1);\n'),
  inBudget('console', 'globalThis.console.error(1);\n'),
  inBudget('environment', "export const planted = process.env['HOME'];\n"),
  inBudget('environment', "import { env } from 'node:process';\n"),
  inBudget('time', 'export const planted = Date.now();\n'),
  inBudget('time', 'export const planted = new Date();\n'),
  inBudget('time', 'setTimeout(() => undefined, 1);\n'),
  inBudget('time', 'globalThis.setInterval(() => undefined, 1);\n'),
  inBudget('yield', 'setImmediate(() => undefined);\n'),
  inBudget('time', 'export const planted = performance.now();\n'),
  inBudget('time', 'export const planted = AbortSignal.timeout(1);\n'),
  inBudget('time', "import { setTimeout as later } from 'node:timers/promises';\n"),
  inBudget('yield', "import { scheduler } from 'node:timers/promises';\n"),
  inBudget('chance', 'export const planted = Math.random();\n'),
  inBudgetTest('chance', 'export const planted = Math.random();\n'),
  inBudget('chance', "import { randomUUID } from 'node:crypto';\n"),
];

export const PLANTS: readonly Plant[] = [...TABLE, ...STRUCTURE, ...SIZE, ...LANGUAGE];

/** What no rule may object to: a check that always fails would find every plant as well. */
export const INNOCENT: readonly { readonly file: string; readonly text: string }[] = [
  {
    file: 'packages/budget/src/planted.ts',
    text: "import type { Json } from '@palimpsest/contracts';\nimport { bind } from '@palimpsest/wiring';\nexport const at = (text: string): Json => [new Date(text).getTime(), bind.name];\n",
  },
  {
    file: 'packages/budget/src/planted.test.ts',
    text: `import { expect, it } from 'vitest';\ndescribe('a suite', () => {\n${lines(70, '  it.todo("more");')}});\nvoid [expect, it, Date.now(), console.warn, process.env];\n`,
  },
  {
    file: 'packages/runtime/src/adapters/planted.ts',
    text: "import { randomUUID } from 'node:crypto';\nexport const all = (): unknown[] => [Date.now(), randomUUID(), process.env, performance.now()];\n",
  },
  {
    file: 'packages/budget/src/planted-options.ts',
    text: `export interface PlantedOptions {\n${times(8, field)}}\n// any, console.log and Math.random() in a comment\nexport const text = 'export * from "./any.ts"; process.env';\n`,
  },
];
