import { cancel, isCancel, select, text } from '@clack/prompts';
import { errors } from '@palimpsest/contracts';
import type { Questions } from './questions.ts';

/** Questions with arrows and colours, for a terminal. */
export class ClackQuestions implements Questions {
  async choose<T extends string>(question: string, choices: readonly { readonly value: T; readonly about: string }[]): Promise<T> {
    const options: { value: string; label: string; hint: string }[] = choices.map(({ value, about }) => ({
      value,
      label: value,
      hint: about,
    }));
    const answer = answered(await select({ message: question, options }));
    const chosen = choices.find(({ value }) => value === answer);
    if (chosen === undefined) throw errors.usageInvalid(`"${answer}" was not offered`);
    return chosen.value;
  }

  async text(question: string, { initial, problem }: Parameters<Questions['text']>[1]): Promise<string> {
    const validate = (answer: string | undefined): string | undefined => problem(orInitial(answer, initial)) ?? undefined;
    return orInitial(answered(await text({ message: question, placeholder: initial, defaultValue: initial, validate })), initial);
  }

  close(): void {
    return;
  }
}

const orInitial = (answer: string | undefined, initial: string): string =>
  answer === undefined || answer.trim() === '' ? initial : answer.trim();

function answered(answer: string | symbol): string {
  if (!isCancel(answer)) return answer;
  cancel('Nothing was written.');
  throw errors.usageInvalid('You left the questions; nothing was written.', 'palimpsest init --yes takes the defaults.');
}
