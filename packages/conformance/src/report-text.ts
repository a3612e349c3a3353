import { GROUPS, type CheckResult, type ConformanceReport } from './report.ts';

const OUTCOMES = ['passed', 'failed', 'skipped', 'blocked'] as const;

/** For people: a line a group, and what each fault is. */
export function reportText(report: ConformanceReport): string {
  const lines = GROUPS.flatMap((group) => {
    const checks = report.checks.filter((check) => check.group === group);
    return checks.length === 0 ? [] : [groupLine(group, checks), ...checks.flatMap(faultLines)];
  });
  const end = report.passed ? `${report.engine} conforms to contract ${report.contract}.` : `${report.engine} breaks the contract: ${report.failedGroups.join(', ')}.`;
  return [...lines, end].join('\n');
}

function groupLine(group: string, checks: readonly CheckResult[]): string {
  const counts = OUTCOMES.map((outcome) => ({ outcome, count: checks.filter((check) => check.outcome === outcome).length })).filter(({ count }) => count > 0);
  const failed = checks.some(({ outcome }) => outcome === 'failed');
  return `${failed ? 'FAIL' : 'ok  '} ${group}: ${counts.map(({ outcome, count }) => `${String(count)} ${outcome}`).join(', ')}`;
}

function faultLines({ check, faults }: CheckResult): readonly string[] {
  return faults.flatMap(({ method, rule, problem, smallest }) => [
    `     ${check}: ${method} breaks "${rule}": ${problem}`,
    ...(smallest === null ? [] : ['     smallest case:', ...smallest.map((step) => `       ${step}`)]),
  ]);
}
