import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errors, unwritable } from '@palimpsest/contracts';
import { checkConfig } from '@palimpsest/runtime';
import { configText, defaults, OFFERS, type Answers } from '../config-text.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { writeFileWhole } from '../output/pieces.ts';
import { json, line, tryNext } from '../output/print.ts';
import type { Questions } from '../questions/questions.ts';
import { schemaText } from './config.ts';

export interface InitOptions extends CommonOptions {
  readonly yes?: boolean;
}
const CONFIG = 'palimpsest.yaml';
const SCHEMA = 'palimpsest.schema.json';

/** Never writes over anything. */
export async function init(options: InitOptions): Promise<void> {
  await refuseExisting();
  const answers = options.yes === true ? defaults(OFFERS[0]) : await asked();
  await writeNew(CONFIG, configText(answers, `./${SCHEMA}`));
  await writeFileWhole(resolve(SCHEMA), [schemaText()]);
  await checkConfig(CONFIG);
  if (options.json === true) return json({ config: resolve(CONFIG), schema: resolve(SCHEMA), ...answers });
  line(`Wrote ${CONFIG}, and ${SCHEMA} for your editor.`);
  tryNext([['palimpsest doctor', 'is everything there?'], ['palimpsest run "hello" --session work', 'talk to the model']]);
}

async function asked(): Promise<Answers> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw errors.usageInvalid('init asks three questions, and this is no terminal', 'palimpsest init --yes takes the defaults.');
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
  const provider = await questions.choose('Who serves the model?', OFFERS.map(({ provider: value, about }) => ({ value, about })));
  const offer = defaults(OFFERS.find((one) => one.provider === provider) ?? OFFERS[0]);
  const model = await questions.text('Which model, in the words of the provider?', { initial: offer.model, problem: (answer) => (answer.trim() === '' ? 'A model has a name' : null) });
  const window = await questions.text('How many tokens is its context window?', { initial: String(offer.windowTokens), problem: (answer) => (/^[1-9]\d{3,8}$/u.test(answer) ? null : 'A whole number of at least 1000') });
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
