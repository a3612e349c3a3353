import { hostileEngines } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { groupOfRule } from './guard-faults.ts';
import { checkEngine, GROUPS, reportText, type GroupName } from './index.ts';

/** A machine may be busy; the kit ends by itself. */
const PATIENT_MS = 600_000;

const groupOf = (name: string): GroupName => {
  const group = GROUPS.find((one) => one === name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
};

it.each(hostileEngines)('$name fails in $group by "$rule"', async ({ name, group, rule, definition }) => {
  const named = groupOf(group);
  // A rule that a plain conversation shows is found there, and sorted into its group. Nobody aborts one.
  const isPlain = groupOfRule(rule) === named && rule !== 'ignores-abort';
  const groups: readonly GroupName[] = isPlain ? ['shape'] : [named];
  const report = await checkEngine(definition, { groups, patienceMs: 400, stallLimitMs: 1_000 });
  const faults = report.checks.flatMap((check) => (check.group === named ? check.faults : []));
  expect(faults.map((fault) => fault.rule).join(' '), reportText(report)).toContain(rule);
  expect(report.passed).toBe(false);
  // It has no other method: nobody is blamed for what he does not have.
  if (name === 'stalls') expect(report.checks.flatMap((check) => check.faults.map(({ method }) => method))).toEqual(['plan']);
}, PATIENT_MS);

it('shrinks what it generated to the smallest conversation', async () => {
  const cutsPairs = hostileEngines.find(({ name }) => name === 'cuts-pairs');
  if (cutsPairs === undefined) throw new Error('there is an engine that cuts pairs');
  const report = await checkEngine(cutsPairs.definition, { groups: ['coverage'] });
  const smallest = report.checks.flatMap(({ faults }) => faults).find((fault) => fault.rule === 'pair-cut')?.smallest ?? [];
  expect(smallest.length).toBeLessThanOrEqual(3);
  expect(smallest.at(-1)).toMatch(/^tools /u);
}, PATIENT_MS);

it('reports a factory that throws, and goes on to the end', async () => {
  const [any] = hostileEngines;
  if (any === undefined) throw new Error('there are hostile engines');
  const report = await checkEngine({ ...any.definition, factory: () => { throw new Error('no engine today'); } }, { groups: ['shape', 'budget'] });
  expect(report.failedGroups).toEqual(['shape']);
  expect(reportText(report)).toContain('no engine today');
  expect(report.checks.filter(({ group }) => group === 'budget').map(({ outcome }) => outcome)).toEqual(['blocked', 'blocked', 'blocked']);
}, PATIENT_MS);

it('does not wait for a factory that never answers, and goes on to the end', async () => {
  const [any] = hostileEngines;
  if (any === undefined) throw new Error('there are hostile engines');
  const report = await checkEngine({ ...any.definition, factory: () => new Promise<never>(() => undefined) }, { groups: ['shape', 'budget'], patienceMs: 100 });
  expect(report.checks.flatMap(({ faults }) => faults.map(({ method, rule }) => `${method} ${rule}`))).toEqual(['factory deadline']);
  expect(report.failedGroups).toEqual(['cancel']);
}, PATIENT_MS);
