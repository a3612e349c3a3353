import { expect, it } from 'vitest';
import { GROUPS, type ConformanceReport } from './report.ts';
import { reportText } from './report-text.ts';

const report: ConformanceReport = {
  engine: 'any@1.0.0',
  contract: '1.0',
  passed: true,
  groupsNotRun: [],
  failedGroups: [],
  longestStallMs: null,
  checks: GROUPS.map((group) => ({ group, check: 'one', outcome: 'passed', faults: [], ms: 1 })),
};

it('says that an engine conforms once every group was run', () => {
  expect(reportText(report)).toContain('any@1.0.0 conforms to contract 1.0.');
});

it('after a part of them names the others, and does not say it', () => {
  const text = reportText({
    ...report,
    groupsNotRun: ['load', 'cancel'],
    checks: report.checks.filter(({ group }) => group !== 'load' && group !== 'cancel'),
  });
  expect(text).toContain('\nnot run: load, cancel\n');
  expect(text).not.toMatch(/conforms to contract 1\.0\.$/u);
  expect(reportText({ ...report, passed: false, failedGroups: ['shape'], groupsNotRun: ['load'] })).toMatch(
    /\nnot run: load\nany@1\.0\.0 breaks the contract: shape\.$/u,
  );
});

it('marks a group in which nothing passed, and calls it neither in order nor broken', () => {
  const outcomes: Readonly<Record<string, ConformanceReport['checks'][number]['outcome']>> = {
    shape: 'failed',
    coverage: 'blocked',
    idempotence: 'skipped',
  };
  const text = reportText({ ...report, checks: report.checks.map((check) => ({ ...check, outcome: outcomes[check.group] ?? 'passed' })) });
  expect(text).toMatch(/^FAIL shape: 1 failed$/mu);
  expect(text).toMatch(/^-- {2} coverage: 1 blocked$/mu);
  expect(text).toMatch(/^-- {2} idempotence: 1 skipped$/mu);
  expect(text).toMatch(/^ok {3}cache: 1 passed$/mu);
});
