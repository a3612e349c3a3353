import type { PalimpsestError } from '@palimpsest/contracts';

const HELP = 'See palimpsest --help, and --help of each command.';

/** The error's own hint; for a wrong call without one, the help; null where there is nothing a person could do. */
export function nextStep({ code, hint }: Pick<PalimpsestError, 'code' | 'hint'>): string | null {
  return hint ?? (code === 'USAGE_INVALID' ? HELP : null);
}
