import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errors, unwritable } from '@palimpsest/contracts';
import { checkConfig, convertHermes, convertPi, initialYaml, type Conversion } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
import { writeFileWhole } from '../output/pieces.ts';
import { counted, json, line, prose, tryNext } from '../output/print.ts';
import { defaults, LOCAL_ADDRESS, OFFERS, type Answers } from '../questions/offers.ts';
import type { Questions } from '../questions/questions.ts';
import { schemaText } from './config.ts';

export interface InitOptions extends CommonOptions {
  readonly yes?: boolean;
  readonly from?: keyof typeof OTHERS;
}
const CONFIG = 'palimpsest.yaml';
const SCHEMA = 'palimpsest.schema.json';
const OTHERS = { hermes: convertHermes, pi: convertPi } as const;

/** Never writes over anything. */
export async function init(file: string | undefined, options: InitOptions): Promise<void> {
  if ((file === undefined) !== (options.from === undefined))
    throw errors.usageInvalid('--from and a file go together', 'For example: palimpsest init --from hermes ~/.hermes/config.yaml');
  await refuseExisting();
  if (file !== undefined && options.from !== undefined) return fromOther(file, options.from, options.json === true);
  const answers = options.yes === true ? defaults(OFFERS[0]) : await asked();
  await writeBoth(startingText(answers));
  if (options.json === true) return json({ config: resolve(CONFIG), schema: resolve(SCHEMA), ...answers });
  written();
}

/** The keys of another program that have a place here; the rest is named, and why. */
async function fromOther(file: string, program: keyof typeof OTHERS, asJson: boolean): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw errors.configUnreadable(file, cause);
  });
  const conversion = OTHERS[program](text, file);
  if (conversion.yaml === '')
    throw errors.usageInvalid(
      `${file}: none of its ${counted(conversion.unknown.length, 'key')} has a place here; nothing was written.`,
      'Start a new file: palimpsest init',
    );
  await writeBoth(`# yaml-language-server: $schema=./${SCHEMA}\n${conversion.yaml}`);
  if (asJson)
    return json({
      config: resolve(CONFIG),
      schema: resolve(SCHEMA),
      converted: conversion.converted.map(([from, to, value]) => ({ from, to, value })),
      unknown: conversion.unknown.map(([path, why]) => ({ path, why })),
    });
  show(conversion);
  written();
}

function show({ converted, unknown }: Conversion): void {
  for (const [from, to, value] of converted) prose(`  ${from} → ${to}: ${JSON.stringify(value)}`, '    ');
  if (unknown.length > 0) line('Left behind:');
  for (const [path, why] of unknown) prose(`  ${path}: ${why}`, '    ');
}

async function writeBoth(text: string): Promise<void> {
  await writeNew(CONFIG, text);
  await writeFileWhole(resolve(SCHEMA), [schemaText()]);
  await checkConfig(CONFIG);
}

function written(): void {
  line(`Wrote ${CONFIG}, and ${SCHEMA} for your editor.`);
  tryNext([
    ['palimpsest doctor', 'is everything there?'],
    ['palimpsest run "hello" --session work', 'talk to the model'],
  ]);
}

/** What a new palimpsest.yaml says. */
export function startingText({ provider, model, windowTokens }: Answers): string {
  const address = provider === 'openai-compatible' ? { baseUrl: LOCAL_ADDRESS } : {};
  return initialYaml({ model: { provider, model, windowTokens, ...address }, schema: `./${SCHEMA}` });
}

async function asked(): Promise<Answers> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw errors.usageInvalid('init asks three questions, and this is no terminal', 'palimpsest init --yes takes the defaults.');
  const { ClackQuestions } = await import('../questions/clack-questions.ts');
  const questions = new ClackQuestions();
  try {
    return await answersFrom(questions);
  } finally {
    questions.close();
  }
}

/** The three questions. */
export async function answersFrom(questions: Questions): Promise<Answers> {
  const provider = await questions.choose(
    'Who serves the model?',
    OFFERS.map(({ provider: value, about }) => ({ value, about })),
  );
  const offer = defaults(OFFERS.find((one) => one.provider === provider) ?? OFFERS[0]);
  const model = await questions.text('Which model, in the words of the provider?', {
    initial: offer.model,
    problem: (answer) => (answer.trim() === '' ? 'A model has a name' : null),
  });
  const window = await questions.text('How many tokens is its context window?', {
    initial: String(offer.windowTokens),
    problem: (answer) => (/^[1-9]\d{3,8}$/u.test(answer) ? null : 'A whole number of at least 1000'),
  });
  return { provider, model, windowTokens: Number(window) };
}

async function refuseExisting(): Promise<void> {
  const existing = await readFile(resolve(CONFIG), 'utf8').catch(() => null);
  if (existing !== null) throw taken(CONFIG);
  const schema = await readFile(resolve(SCHEMA), 'utf8').catch(() => null);
  if (schema !== null && schema !== schemaText()) throw taken(SCHEMA);
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(resolve(file), text, { flag: 'wx' }).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(file);
    await rm(resolve(file), { force: true });
    throw unwritable(file, error);
  });
}

function taken(file: string): Error {
  return errors.usageInvalid(`${file} exists already; nothing was written.`, 'Move it aside, or check it: palimpsest config check');
}
