import { expect, it } from 'vitest';
import { errors, isPalimpsestError } from '@palimpsest/contracts';
import { nextStep } from './next-step.ts';

it('has a next step for every mistake of the user', () => {
  const factories = Object.values(errors) as readonly ((...input: unknown[]) => unknown)[];
  const made = factories.filter((factory) => factory !== errors.wiringInvalid).map((factory) => factory('x', [], [], null, []));
  const mistakes = made.filter((error) => isPalimpsestError(error) && error.kind === 'config');
  expect(mistakes.length).toBeGreaterThan(8);
  for (const error of mistakes) if (isPalimpsestError(error)) expect([error.code, nextStep(error)]).not.toContain(null);
});

it('leaves an own hint as it is, and says nothing where nothing can be done', () => {
  expect(nextStep(errors.usageInvalid('x', 'do y'))).toBe('do y');
  expect(nextStep(errors.logEntryUnknown('s', 'e'))).toContain('sessions show');
  expect(nextStep(errors.logIdTaken('e'))).toBeNull();
});
