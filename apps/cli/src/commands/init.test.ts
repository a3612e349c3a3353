import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkConfig } from '@palimpsest/runtime';
import { defaults, OFFERS, type Answers } from '../questions/offers.ts';
import type { Questions } from '../questions/questions.ts';
import { answersFrom, startingText } from './init.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-init-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
async function read(text: string): ReturnType<typeof checkConfig> {
  await writeFile(join(folder, 'c.yaml'), text);
  return checkConfig(join(folder, 'c.yaml'));
}

it.each(OFFERS.map((offer) => [offer.provider, offer] as const))(
  'writes a configuration for %s that is read without a fault',
  async (provider, offer) => {
    const text = startingText(defaults(offer));
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./palimpsest.schema.json');
    const config = await read(text);
    expect(config.models['main']).toMatchObject({ provider, model: offer.model, windowTokens: offer.windowTokens, unset: [] });
    expect(config.agent.model).toBe('main');
  },
);

it('keeps a name that means something in YAML', async () => {
  const model = 'a: "b" #c\\d';
  expect((await read(startingText({ provider: 'openai', model, windowTokens: 5_000 }))).models['main']?.model).toBe(model);
});

/** Answers in order; the questions are kept. */
class Scripted implements Questions {
  readonly asked: string[] = [];
  readonly #answers: string[];

  constructor(...answers: string[]) {
    this.#answers = answers;
  }

  choose<T extends string>(question: string, choices: readonly { readonly value: T }[]): Promise<T> {
    this.asked.push(question);
    const answer = this.#answers.shift();
    return Promise.resolve((choices.find(({ value }) => value === answer) ?? (choices[0] as { readonly value: T })).value);
  }

  text(question: string, { initial, problem }: Parameters<Questions['text']>[1]): Promise<string> {
    this.asked.push(question);
    const answer = this.#answers.shift() ?? initial;
    const wrong = problem(answer);
    return wrong === null ? Promise.resolve(answer) : Promise.reject(new Error(wrong));
  }

  close(): void {
    return;
  }
}

it('asks three questions, whose defaults fit the first answer', async () => {
  const questions = new Scripted('openai-compatible');
  expect(await answersFrom(questions)).toEqual({
    provider: 'openai-compatible',
    model: 'my-model',
    windowTokens: 32_768,
  } satisfies Answers);
  expect(questions.asked).toHaveLength(3);
  expect(await answersFrom(new Scripted('openai', 'm', '64000'))).toEqual({ provider: 'openai', model: 'm', windowTokens: 64_000 });
  await expect(answersFrom(new Scripted('openai', 'm', 'many'))).rejects.toThrow('whole number');
});
