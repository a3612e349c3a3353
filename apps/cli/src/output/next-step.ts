import type { PalimpsestError } from '@palimpsest/contracts';

/** By the beginning of a code, longest first: what to do next where the error itself does not say it. */
const STEPS: readonly (readonly [string, string])[] = [
  ['CONFIG_UNREADABLE', 'Name a file that exists and that you may read, or make one: palimpsest init'],
  ['CONFIG', 'All faults with their places: palimpsest config check. All keys: palimpsest config schema'],
  ['TRANSCRIPT_UNREADABLE', 'Name a session file that exists and that you may read.'],
  ['TRANSCRIPT', 'If you know its format, force it with --format; sessions of other tools: export them as JSON or JSONL first.'],
  ['LOG_ENTRY_UNKNOWN', 'The entries of a session: palimpsest sessions show SESSION'],
  ['WHY_NO_STEP', 'Steps come with turns: palimpsest sessions show SESSION lists what there is.'],
  ['STORE', 'Look what is wrong: palimpsest doctor'],
  ['USAGE', 'See palimpsest --help, and --help of each command.'],
];

/** The error's own hint, else one by its code; null where there is nothing a person could do. */
export function nextStep({ code, hint }: Pick<PalimpsestError, 'code' | 'hint'>): string | null {
  return hint ?? STEPS.find(([beginning]) => code.startsWith(beginning))?.[1] ?? null;
}
