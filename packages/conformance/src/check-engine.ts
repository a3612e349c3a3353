import { ENGINE_CONTRACT_VERSION, type EngineDefinition } from '@palimpsest/contracts';
import type { Check, DefinitionCheck } from './check.ts';
import { ALL_CHECKS } from './groups/all.ts';
import { groupOfRule } from './guard-faults.ts';
import { GROUPS, type CheckResult, type ConformanceReport, type Fault, type GroupName } from './report.ts';
import { keyOf, ran, type CheckOptions, type Ran, type Run } from './run-check.ts';

/** Runs the kit; every check has a runtime and a store of its own. Never throws for the engine's sake. */
export async function checkEngine(definition: EngineDefinition, options: CheckOptions = {}): Promise<ConformanceReport> {
  const groups = options.groups === undefined ? null : new Set(options.groups);
  const known = new Set<string>();
  const run: Run = { stalls: [], hung: new Map() };
  const { stalls } = run;
  const checks: CheckResult[] = [];
  for (const check of ALL_CHECKS.filter(({ group }) => groups === null || groups.has(group)))
    checks.push(...sorted(check, await ran(check, definition, options, run, known), known));
  const failedGroups = [...new Set(checks.filter(({ outcome }) => outcome === 'failed').map(({ group }) => group))];
  const { name, version } = definition.manifest;
  return {
    engine: `${name}@${version}`,
    contract: ENGINE_CONTRACT_VERSION,
    passed: failedGroups.length === 0,
    groupsNotRun: GROUPS.filter((group) => groups?.has(group) === false),
    failedGroups,
    checks,
    longestStallMs: stalls.length === 0 ? null : Math.max(...stalls),
  };
}

/** Their conversations have nothing special: what shows in one is a matter of its rule. */
const PLAIN: ReadonlySet<GroupName> = new Set(['shape', 'budget', 'structure', 'coverage']);

/**
 * A fault is reported once, in the group that names it: where it first shows on a plain conversation, that is the group of its rule;
 * one that shows only under special circumstances belongs to the check that made them.
 */
function sorted(check: Check | DefinitionCheck, { found, ms }: Ran, known: Set<string>): readonly CheckResult[] {
  const base = { check: check.name, ms };
  if (found === 'skipped') return [{ ...base, group: check.group, outcome: 'skipped', faults: [] }];
  const all = distinct(found);
  const fresh = all.filter((one) => !known.has(keyOf(one)));
  for (const one of fresh) known.add(keyOf(one));
  const byGroup = Map.groupBy(fresh, ({ rule }) => (PLAIN.has(check.group) ? groupOfRule(rule, check.group) : check.group));
  const own: CheckResult = {
    ...base,
    group: check.group,
    outcome: byGroup.has(check.group) ? 'failed' : all.length > fresh.length ? 'blocked' : 'passed',
    faults: byGroup.get(check.group) ?? [],
  };
  byGroup.delete(check.group);
  return [own, ...[...byGroup].map(([group, faults]): CheckResult => ({ ...base, group, outcome: 'failed', faults }))];
}

function distinct(found: readonly Fault[]): readonly Fault[] {
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}
