import type { MarkOverrides, Marks } from '@palimpsest/contracts';
import { figure } from './notes.ts';
import type { BudgetNote } from './notes.ts';

export interface MarksAsk {
  /** The policy's figure. */
  readonly startTokens: number;
  /** E. */
  readonly effectiveTokens: number;
  /** The operator's, which beat the engine's, which beat the policy. */
  readonly overrides: MarkOverrides;
  readonly engineMarks: MarkOverrides;
}

export interface FittedMarks {
  readonly marks: Marks;
  readonly notes: readonly BudgetNote[];
}

/** The policy's start stays at or below this share of E, so that it is met before the request is refused. */
const START_SHARE = 0.95;

/**
 * Marks with low < prepare < start < hard <= E for every E of at least 4; below that they are as far apart as E allows.
 * Overrides are honoured from the top down; one that is out of order is moved to the nearest place in order, with a note.
 */
export function fitMarks(ask: MarksAsk): FittedMarks {
  const { effectiveTokens: effective } = ask;
  const overrides = { ...ask.engineMarks, ...ask.overrides };
  const notes: BudgetNote[] = [];
  const place = placing(effective, notes);
  const ceiling = overrides.hard === undefined ? effective : place('hard', overrides.hard, 3, effective);
  const start = place('start', overrides.start ?? ask.startTokens, 2, Math.min(ceiling - 1, topOfStart(ask.overrides, effective)));
  const hard = overrides.hard === undefined ? hardAbove(start, effective) : ceiling;
  const belowStart = Math.max(Math.floor(start * 0.75), (overrides.low ?? 0) + 1);
  const prepare = overrides.prepare === undefined ? clamp(belowStart, 1, start - 1) : place('prepare', overrides.prepare, 1, start - 1);
  const low =
    overrides.low === undefined ? clamp(Math.floor((start * 2) / 3), 0, prepare - 1) : place('low', overrides.low, 0, prepare - 1);
  return { marks: { low, prepare, start, hard }, notes };
}

/** An operator may start later than a policy or an engine may; only the order holds for him. */
const topOfStart = (overrides: MarksAsk['overrides'], effective: number): number =>
  overrides.start === undefined ? Math.floor(effective * START_SHARE) : effective;

const hardAbove = (start: number, effective: number): number =>
  clamp(Math.max(Math.floor(effective * 0.92), Math.floor((start + effective) / 2)), start + 1, effective);

const clamp = (value: number, least: number, most: number): number => Math.max(0, Math.min(Math.max(Math.floor(value), least), most));

type Place = (what: keyof Marks, wanted: number, least: number, most: number) => number;

function placing(effective: number, notes: BudgetNote[]): Place {
  return (what, wanted, least, most) => {
    const placed = clamp(wanted, least, most);
    if (placed !== Math.floor(wanted)) {
      const room = `low < prepare < start < hard <= ${figure(effective)}`;
      notes.push({
        what,
        why: `${placed < wanted ? 'lowered' : 'raised'} from ${figure(Math.floor(wanted))} to ${figure(placed)}: ${room}`,
      });
    }
    return placed;
  };
}
