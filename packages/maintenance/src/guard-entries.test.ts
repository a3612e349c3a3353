import { expect, it } from 'vitest';
import type { Entry, EntryId, Json, Shown } from '@palimpsest/contracts';
import { guardsBody, guardsOn, isSameState } from './guard-entries.ts';
import { RESTED, type GuardState } from './guards.ts';

const entry = (id: string, body: object): Shown => {
  const placed = { id, parent: null, session: 's', seq: 1, depth: 0, time: '', turn: null, tokens: 0, ...body } as unknown as Entry;
  return { kind: 'entry', placed: { entry: placed, shape: { kind: 'silent' }, shownTokens: 0, group: id as EntryId } };
};
const state: GuardState = { failures: 2, coolUntilMs: 5, passed: true, weak: 1, openUntilMs: 9 };

it('reads back what it wrote, the newest of several', () => {
  expect(
    guardsOn([
      entry('a', guardsBody(RESTED)),
      entry('b', guardsBody(state)),
      entry('c', { kind: 'custom', by: 'host', key: 'other', data: {}, shown: null }),
    ]),
  ).toEqual(state);
  expect(guardsOn([entry('a', guardsBody(state)), entry('b', guardsBody(RESTED))])).toEqual(RESTED);
});

it.each<Json>([null, 7, 'rested', [], {}, { ...state, failures: 'many' }, { failures: 1 }])('takes %j for nothing', (data) => {
  expect(guardsOn([entry('a', { ...guardsBody(state), data })])).toEqual(RESTED);
});

it("takes nobody else's entry for its own", () => {
  expect(guardsOn([entry('a', { ...guardsBody(state), by: 'engine' })])).toEqual(RESTED);
  expect(guardsOn([])).toEqual(RESTED);
});

it('tells states apart by each field', () => {
  expect(isSameState(state, { ...state })).toBe(true);
  for (const key of Object.keys(state) as (keyof GuardState)[]) expect(isSameState(state, { ...state, [key]: RESTED[key] })).toBe(false);
});
