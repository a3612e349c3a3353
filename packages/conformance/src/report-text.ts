import { GROUPS, type CheckResult, type ConformanceReport } from './report.ts';

const OUTCOMES = ['passed', 'failed', 'skipped', 'blocked'] as const;

/** For people: a line a group, and what each fault is. */
export function reportText(report: ConformanceReport): string {
  const lines = GROUPS.flatMap((group) => {
    const checks = report.checks.filter((check) => check.group === group);
    return checks.length === 0 ? [] : [groupLine(group, checks), ...checks.flatMap(faultLines)];
  });
  return [...lines, ...verdict(report)].join('\n');
}

/** Part of the kit proves no conformance, and the part that is missing is named. */
function verdict({ engine, contract, passed, failedGroups, groupsNotRun }: ConformanceReport): readonly string[] {
  const missing = groupsNotRun.length === 0 ? [] : [`not run: ${groupsNotRun.join(', ')}`];
  if (!passed) return [...missing, `${engine} breaks the contract: ${failedGroups.join(', ')}.`];
  return missing.length === 0
    ? [`${engine} conforms to contract ${contract}.`]
    : [...missing, `${engine} breaks nothing in what was run; whether it conforms to contract ${contract} takes all groups.`];
}

function groupLine(group: string, checks: readonly CheckResult[]): string {
  const counts = OUTCOMES.map((outcome) => ({ outcome, count: checks.filter((check) => check.outcome === outcome).length })).filter(
    ({ count }) => count > 0,
  );
  const has = (one: CheckResult['outcome']): boolean => checks.some(({ outcome }) => outcome === one);
  // Where nothing passed, nothing is known to be in order.
  return `${has('failed') ? 'FAIL' : has('passed') ? 'ok  ' : '--  '} ${group}: ${counts.map(({ outcome, count }) => `${String(count)} ${outcome}`).join(', ')}`;
}

function faultLines({ check, faults }: CheckResult): readonly string[] {
  return faults.flatMap(({ method, rule, problem, smallest }) => [
    `     ${check}: ${method} breaks "${rule}": ${problem}`,
    ...(smallest === null ? [] : ['     smallest case:', ...smallest.map((step) => `       ${step}`)]),
  ]);
}
