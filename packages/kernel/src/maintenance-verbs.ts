import { errors } from '@palimpsest/contracts';
import type { TurnKit } from './turn-kit.ts';

/** `compact`: the ladder, once, because the operator says so. One line of what it did. */
export async function compactNow(kit: TurnKit, focus: string | undefined): Promise<string> {
  const before = kit.journal.shownTokens;
  if (before === 0) return 'nothing changed: there is nothing to compact yet';
  const signal = new AbortController().signal;
  const climbed = await kit.ladder.climb({
    trigger: 'manual',
    turn: null,
    judged: kit.views.threshold(),
    ...(focus === undefined ? {} : { focus }),
    signal,
  });
  if (!climbed.changed) return `nothing changed: ${climbed.declined.map(({ what, why }) => `${what}: ${why}`).join('; ')}`;
  return `compacted: ${String(before)} → ${String(kit.journal.shownTokens)} tokens`;
}

/** `undo`: lifts the newest active compaction or reduction, if what it hid fits. */
export async function undoNow(kit: TurnKit): Promise<string> {
  const lifts = kit.journal.marks.liftable;
  if (lifts === null) throw errors.undoNothing();
  const lifted = await kit.journal.load(kit.journal.marks.last?.id ?? null, [lifts]);
  const { fixed, effective } = kit.views.budget(null);
  const tokens = fixed.total + lifted.shownTokens;
  if (tokens > effective) throw errors.undoDoesNotFit(tokens, effective);
  await kit.journal.append([kit.drafts.plain({ kind: 'undo', lifts }, null)]);
  return `lifted ${lifts}: ${String(tokens)} tokens`;
}
