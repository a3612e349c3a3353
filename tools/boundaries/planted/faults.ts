// Each line breaks the rule that its comment names. The lint never sees this folder; its self-test does.
import { Stats } from 'node:fs'; // @typescript-eslint/consistent-type-imports
declare const later: () => Promise<number>;
declare const parse: (text: string) => any; // @typescript-eslint/no-explicit-any

export function floating(): void {
  later(); // @typescript-eslint/no-floating-promises
}

export const misused = (list: readonly number[]): readonly number[] =>
  list.filter(async (each) => (await later()) > each); // @typescript-eslint/no-misused-promises

export async function needless(): Promise<void> {
  await 1; // @typescript-eslint/await-thenable
}

export const missing = (list: readonly string[]): string => list[0]!; // @typescript-eslint/no-non-null-assertion

export function untyped(text = '') { // @typescript-eslint/explicit-module-boundary-types
  const parsed = parse(text); // @typescript-eslint/no-unsafe-assignment
  return String(parsed.length); // @typescript-eslint/no-unsafe-member-access
}

export function colour(name: 'red' | 'blue'): number {
  switch (name) { // @typescript-eslint/switch-exhaustiveness-check
    case 'red':
      return 1;
  }
  return 2;
}

export function thrown(stats: Stats): never {
  if (stats.size == 0) process.exitCode = 1; // eqeqeq
  throw 'text'; // @typescript-eslint/only-throw-error
}

function unused(): void {} // @typescript-eslint/no-unused-vars
