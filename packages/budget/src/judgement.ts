import { markAt } from '@palimpsest/contracts';
import type { Budget, Judgement } from '@palimpsest/contracts';

/** Share of the window at which hygiene starts, at the latest at the hard mark. */
const HYGIENE_SHARE = 0.85;

/** Parts of a token count as one judgement; a fraction of a token counts as one, and what is not a positive number as none. */
export function judgeParts(
  parts: Readonly<Record<string, number>>,
  budget: Pick<Budget, 'effective' | 'marks'>,
  metric: Judgement['metric'],
): Judgement {
  const whole = Object.fromEntries(Object.entries(parts).map(([part, tokens]) => [part, tokens > 0 ? Math.ceil(tokens) : 0]));
  const tokens = Object.values(whole).reduce((sum, part) => sum + part, 0);
  return { tokens, mark: markAt(tokens, budget), metric, parts: whole };
}

/** The budget as hygiene sees it: another start, the rest as it is. */
export function hygieneMarks(budget: Budget): Pick<Budget, 'effective' | 'marks'> {
  const start = Math.min(Math.floor(budget.window.tokens * HYGIENE_SHARE), budget.marks.hard);
  return { effective: budget.effective, marks: { ...budget.marks, start } };
}
