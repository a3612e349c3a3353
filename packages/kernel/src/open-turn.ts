import { TurnAborted } from './engine/deadline.ts';
import type { TurnKit } from './turn-kit.ts';
import type { Answer, EntryId, OpenTurn, UsageReport, UserInput, View } from '@palimpsest/contracts';

type Reply = Answer & { readonly kind: 'reply' };

export function openTurn(id: EntryId, input: UserInput): OpenTurn {
  return { id, input, steps: 0, recoveries: 0, text: '', calls: [], declined: [], refused: null, ended: null };
}

/** An abort ends a turn wherever it was; everything else goes on to the caller. */
export function abortedOnly(error: unknown): 'aborted' {
  if (error instanceof TurnAborted) return 'aborted';
  throw error;
}

/** A reply was accepted: counters start again. */
export function accept(turn: OpenTurn, answer: Reply): void {
  turn.refused = null;
  turn.recoveries = 0;
  turn.steps += 1;
  turn.calls = answer.calls;
  turn.declined = [];
  turn.text = answer.message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

export function usageOf(step: EntryId, view: View, answer: Reply): UsageReport {
  return { step, route: view.request.route, usage: answer.usage, estimatedTokens: view.judgement.tokens };
}

/** A turn that was cut goes on by itself once per user input, when nobody waits and there is room. */
export function mayContinue(kit: TurnKit, turn: OpenTurn): boolean {
  const cut = turn.ended === 'step-limit' || turn.ended === 'output-cap';
  const first = turn.input.origin !== 'continuation' && kit.inbox.empty;
  return cut && first && kit.limits.autoContinue && kit.views.threshold().mark === 'under';
}

/** A turn that no input opened: a recording that begins with the model. Its id is the prompt entry's. */
export async function openWithoutInput(kit: TurnKit): Promise<OpenTurn> {
  const prompt = await kit.views.changeDrafts(null);
  const [entry] = await kit.journal.append(prompt.drafts, prompt.artifacts);
  return openTurn(entry?.id ?? kit.journal.branch().last, { content: '' });
}
