import type { EngineDefinition } from '@palimpsest/contracts';
import type { Lab } from './lab.ts';
import type { Fault, GroupName } from './report.ts';

export interface CheckContext {
  readonly lab: Lab;
  readonly definition: EngineDefinition;
  readonly seed: number;
  readonly stallLimitMs: number;
  /** Told by the `load` group. */
  stalled(ms: number): void;
}
/** A machine may be busy once: what depends on time is believed when it shows so often in a row. */
export const TRIES = 3;

/** Faults found; `skipped`: the engine does not have what is checked. */
export type Found = readonly Fault[] | 'skipped';

/** Each runs in a lab of its own. What the host's guard finds meanwhile is added to what it returns. */
export interface Check {
  readonly group: GroupName;
  readonly name: string;
  /** It is not run again where what it finds depends on time. */
  readonly triesItself?: true;
  /** Its store and its tokenizer have threads of their own, as in a session: what it measures is the engine alone. */
  readonly ownThreads?: true;
  run(context: CheckContext): Promise<Found>;
}

/** Looks at a definition alone: no runtime is made for it. */
export interface DefinitionCheck {
  readonly group: GroupName;
  readonly name: string;
  inspect(definition: EngineDefinition): Found;
}

export function fault(method: string, rule: string, problem: string, smallest: readonly string[] | null = null): Fault {
  return { method, rule, problem, smallest };
}
