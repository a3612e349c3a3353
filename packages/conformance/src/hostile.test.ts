import { readFile } from 'node:fs/promises';
import { hostileEngines, type HostileEngine } from '@palimpsest/testing';
import { expect, inject, it } from 'vitest';
import { groupOfRule } from './guard-faults.ts';
import { checkEngine, GROUPS, reportText, type ConformanceReport, type GroupName } from './index.ts';

const sharing = (): HostileEngine => {
  const found = hostileEngines.find(({ rule }) => rule === 'shared-object');
  if (found === undefined) throw new Error('there is one that shares itself');
  return found;
};

/** A machine may be busy; the kit ends by itself. */
const PATIENT_MS = 600_000;
/** `npm run soak`: many rounds; `npm test`: enough to see what breaks at once. */
const soak = inject('soak');

const groupOf = (name: string): GroupName => {
  const group = GROUPS.find((one) => one === name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
};

/** Each of them in the long run, else the first one of each group but the one that takes longer than all the rest. */
const tried = hostileEngines.filter(
  ({ group }, at) => soak || (group !== 'load' && hostileEngines.findIndex((other) => other.group === group) === at),
);

it.each(tried)(
  '$name fails in $group by "$rule", and by nothing else',
  async ({ name, group, rule, definition }) => {
    const named = groupOf(group);
    const checked = (group: GroupName): Promise<ConformanceReport> =>
      checkEngine(definition, { groups: [group], patienceMs: group === 'load' ? PATIENT_MS : 200 });
    // What an ordinary conversation shows is found there, and sorted into its group.
    const ordinary = groupOfRule(rule) === named && rule !== 'ignores-abort' ? await checked('shape') : null;
    const report = ordinary === null || ordinary.passed ? await checked(named) : ordinary;
    const faults = report.checks.flatMap((check) => check.faults.map((one) => `${check.group}: ${one.rule}`));
    expect([...new Set(faults)], reportText(report)).toEqual([`${named}: ${rule}`]);
    expect(report.passed).toBe(false);
    // It has no other method: nobody is blamed for what he does not have.
    if (name === 'stalls') expect(report.checks.flatMap((check) => check.faults.map(({ method }) => method))).toEqual(['plan']);
  },
  PATIENT_MS,
);

it('the README names every rule', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  expect(hostileEngines.filter(({ rule }) => !readme.includes(`\`${rule}\``)).map(({ rule }) => rule)).toEqual([]);
});

it(
  'shrinks what it generated to the smallest conversation',
  async () => {
    const cutsPairs = hostileEngines.find(({ name }) => name === 'cuts-pairs');
    if (cutsPairs === undefined) throw new Error('there is an engine that cuts pairs');
    const report = await checkEngine(cutsPairs.definition, { groups: ['coverage'] });
    const smallest = report.checks.flatMap(({ faults }) => faults).find((fault) => fault.rule === 'pair-cut')?.smallest ?? [];
    expect(smallest.length).toBeLessThanOrEqual(3);
    expect(smallest.at(-1)).toMatch(/^tools /u);
  },
  PATIENT_MS,
);

it(
  'reports a factory that throws, and goes on to the end',
  async () => {
    const any = sharing();
    const report = await checkEngine(
      {
        ...any.definition,
        factory: () => {
          throw new Error('no engine today');
        },
      },
      { groups: ['shape', 'budget'] },
    );
    expect(report.failedGroups).toEqual(['shape']);
    expect(reportText(report)).toContain('no engine today');
    expect(report.checks.filter(({ group }) => group === 'budget').map(({ outcome }) => outcome)).toEqual([
      'blocked',
      'blocked',
      'skipped',
      'blocked',
    ]);
  },
  PATIENT_MS,
);

it(
  'does not wait for a factory that never answers, and goes on to the end',
  async () => {
    const any = sharing();
    const report = await checkEngine(
      { ...any.definition, factory: () => new Promise<never>(() => undefined) },
      { groups: ['shape', 'budget'], patienceMs: 100 },
    );
    expect(report.checks.flatMap(({ faults }) => faults.map(({ method, rule }) => `${method} ${rule}`))).toEqual(['factory deadline']);
    expect(report.failedGroups).toEqual(['cancel']);
  },
  PATIENT_MS,
);
