import type { EngineDefinition, Json } from '@palimpsest/contracts';
import { TRIES, type Check, type DefinitionCheck, type Found } from './check.ts';
import { escaped, factoryFault } from './guard-faults.ts';
import { Lab, type LabAsk } from './lab.ts';
import type { Fault, GroupName } from './report.ts';
import type { Hung } from './patience.ts';
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

/** What the checks of one run hand on to each other. */
export interface Run {
  readonly stalls: number[];
  readonly hung: Hung;
}
export interface Ran {
  readonly found: Found;
  readonly ms: number;
}

/** What depends on time alone, and on no call that was late. */
const OF_TIME: ReadonlySet<string> = new Set(['stalls', 'leaked-timers']);

/** A fault that time has to do with is believed once it showed in every try. @param known those that were reported before. */
export async function ran(
  check: Check | DefinitionCheck,
  definition: EngineDefinition,
  options: CheckOptions,
  run: Run,
  known: ReadonlySet<string>,
): Promise<Ran> {
  const started = elapsedMs();
  if ('inspect' in check) return { found: check.inspect(definition), ms: Math.round(elapsedMs() - started) };
  for (let tries = check.triesItself === true ? TRIES : 1; ; tries += 1) {
    const hung: Hung = new Map(run.hung);
    const found = await tried(check, definition, options, { stalls: run.stalls, hung });
    const fresh = found === 'skipped' ? [] : found.filter((one) => !known.has(keyOf(one)));
    if (tries < TRIES && fresh.length > 0 && (hung.size > run.hung.size || fresh.some(({ rule }) => OF_TIME.has(rule)))) continue;
    for (const [method, why] of hung) run.hung.set(method, why);
    return { found, ms: Math.round(elapsedMs() - started) };
  }
}

export function keyOf({ method, rule }: Fault): string {
  return `${method} ${rule}`;
}

function tried(
  check: Check,
  definition: EngineDefinition,
  { options = null, patienceMs = 2_000, stallLimitMs = 250, seed = 1 }: CheckOptions,
  { stalls, hung }: Run,
): Promise<Found> {
  const found = inLab({ definition, options, patienceMs, hung, ownThreads: check.ownThreads === true }, (lab) =>
    check.run({ lab, definition, seed, stallLimitMs, stalled: (ms) => stalls.push(ms) }),
  );
  return found.catch((error: unknown): Found => [factoryFault(error)]);
}

async function inLab(ask: LabAsk, work: (lab: Lab) => Promise<Found>): Promise<Found> {
  const lab = await Lab.open(ask);
  try {
    const found = await work(lab).catch((error: unknown): Found => [escaped(error, lab.spy)]);
    // Closing is part of an engine's life: what the host finds then belongs to this check too.
    await lab.close();
    const guarded = lab.faults();
    return guarded.length === 0 ? found : [...(found === 'skipped' ? [] : found), ...guarded];
  } finally {
    await lab.close().catch(() => undefined);
  }
}
