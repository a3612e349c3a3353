import { ENGINE_CONTRACT_VERSION, type EngineDefinition, type Json } from '@palimpsest/contracts';
import type { Check, Found } from './check.ts';
import { ALL_CHECKS } from './groups/all.ts';
import { factoryFault, groupOfRule } from './guard-faults.ts';
import { Lab } from './lab.ts';
import type { CheckResult, ConformanceReport, Fault, GroupName } from './report.ts';
import type { Hung } from './spy.ts';
import { elapsedMs } from './time.ts';

export interface CheckOptions {
  /** `context.engines.<name>`; default: none. */
  readonly options?: Json;
  /** Default: all. */
  readonly groups?: readonly GroupName[];
  /** Default: 250 ms. */
  readonly stallLimitMs?: number;
  /** How long a call may take; a compaction four times as long. Default: 2,000 ms. */
  readonly patienceMs?: number;
  /** Of the generated conversations. Default: 1. */
  readonly seed?: number;
}

/** Runs the kit; every check has a runtime and a store of its own. Never throws for the engine's sake. */
export async function checkEngine(definition: EngineDefinition, options: CheckOptions = {}): Promise<ConformanceReport> {
  const groups = options.groups === undefined ? null : new Set(options.groups);
  const known = new Set<string>();
  const run: Run = { stalls: [], hung: new Map() };
  const { stalls } = run;
  const checks: CheckResult[] = [];
  for (const check of ALL_CHECKS.filter(({ group }) => groups === null || groups.has(group))) checks.push(...sorted(check, await ran(check, definition, options, run), known));
  const failedGroups = [...new Set(checks.filter(({ outcome }) => outcome === 'failed').map(({ group }) => group))];
  const { name, version } = definition.manifest;
  return { engine: `${name}@${version}`, contract: ENGINE_CONTRACT_VERSION, passed: failedGroups.length === 0, failedGroups, checks, longestStallMs: stalls.length === 0 ? null : Math.max(...stalls) };
}

/** What the checks of one run hand on to each other. */
interface Run { readonly stalls: number[]; readonly hung: Hung }
interface Ran { readonly found: Found; readonly ms: number }

async function ran(check: Check, definition: EngineDefinition, options: CheckOptions, run: Run): Promise<Ran> {
  const started = elapsedMs();
  const found = await inLab(check, definition, options, run).catch((error: unknown): Found => [factoryFault(error)]);
  return { found, ms: Math.round(elapsedMs() - started) };
}

async function inLab(check: Check, definition: EngineDefinition, { options = null, patienceMs = 2_000, stallLimitMs = 250, seed = 1 }: CheckOptions, { stalls, hung }: Run): Promise<Found> {
  const lab = await Lab.open({ definition, options, patienceMs, hung });
  try {
    const found = await check.run({ lab, definition, seed, stallLimitMs, stalled: (ms) => stalls.push(ms) });
    // Closing is part of an engine's life: what the host finds then belongs to this check too.
    await lab.close();
    const guarded = lab.faults();
    return guarded.length === 0 ? found : [...(found === 'skipped' ? [] : found), ...guarded];
  } finally {
    await lab.close().catch(() => undefined);
  }
}

/**
 * A fault is reported once, in the group that names it: where it first shows on a plain conversation, that is the group of its rule;
 * one that shows only under special circumstances belongs to the check that made them.
 */
function sorted(check: Check, { found, ms }: Ran, known: Set<string>): readonly CheckResult[] {
  const base = { check: check.name, ms };
  if (found === 'skipped') return [{ ...base, group: check.group, outcome: 'skipped', faults: [] }];
  const all = distinct(found);
  const fresh = all.filter((one) => !known.has(keyOf(one)));
  for (const one of fresh) known.add(keyOf(one));
  const byGroup = Map.groupBy(fresh, ({ rule }) => (check.group === 'shape' ? groupOfRule(rule) : check.group));
  const own: CheckResult = { ...base, group: check.group, outcome: byGroup.has(check.group) ? 'failed' : all.length > fresh.length ? 'blocked' : 'passed', faults: byGroup.get(check.group) ?? [] };
  byGroup.delete(check.group);
  return [own, ...[...byGroup].map(([group, faults]): CheckResult => ({ ...base, group, outcome: 'failed', faults }))];
}

function distinct(found: readonly Fault[]): readonly Fault[] {
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ method, rule }: Fault): string {
  return `${method} ${rule}`;
}
