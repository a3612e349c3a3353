import { expect, it } from 'vitest';
import { EngineBreaker } from './breaker.ts';

const MINUTE = 60_000;

function turns(breaker: EngineBreaker, nowMs: number, ...weights: readonly (0 | 1 | 2)[]): void {
  for (const weight of weights) {
    if (weight > 0) breaker.failed(weight as 1 | 2);
    breaker.turnEnded(nowMs);
  }
}

it.each<[string, readonly (0 | 1 | 2)[], boolean]>([
  ['three turns in a row fail', [1, 1, 1], true],
  ['two break the contract', [2, 2], true],
  ['one breaks the contract and one fails', [2, 1], true],
  ['a good one lies between', [1, 1, 0, 1, 1], false],
  ['two fail', [1, 1], false],
])('when %s: open is %s', (_name, weights, open) => {
  const breaker = new EngineBreaker();
  turns(breaker, 0, ...weights);
  expect(breaker.openUntil(0) !== null).toBe(open);
});

it('counts a turn by its worst fault, once', () => {
  const breaker = new EngineBreaker();
  for (const weight of [1, 1, 1, 1] as const) breaker.failed(weight);
  breaker.turnEnded(0);
  expect(breaker.openUntil(0)).toBeNull();
});

it('lets one turn probe when its pause is over: a good one closes it, a bad one opens it for longer', () => {
  const breaker = new EngineBreaker();
  turns(breaker, 0, 2, 2);
  expect(breaker.openUntil(0)).toBe(MINUTE);
  turns(breaker, 1, 0, 0); // turns of the engine that stands in say nothing
  expect(breaker.openUntil(MINUTE - 1)).toBe(MINUTE);
  expect(breaker.openUntil(MINUTE)).toBeNull();
  turns(breaker, MINUTE, 1);
  expect(breaker.openUntil(MINUTE)).toBe(6 * MINUTE);
  turns(breaker, 6 * MINUTE, 1);
  turns(breaker, 21 * MINUTE, 1);
  expect(breaker.openUntil(21 * MINUTE)).toBe(36 * MINUTE);
  turns(breaker, 36 * MINUTE, 0);
  expect(breaker.openUntil(36 * MINUTE)).toBeNull();
  turns(breaker, 36 * MINUTE, 2, 2);
  expect(breaker.openUntil(36 * MINUTE)).toBe(37 * MINUTE);
});
