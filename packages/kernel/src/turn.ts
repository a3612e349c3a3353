import type { Answer, Climb, OpenTurn, TurnEnd, UserInput, View } from '@palimpsest/contracts';
import type { CallOptions, Next, TurnKit } from './turn-kit.ts';
import { abortedOnly, accept, mayContinue, openTurn, usageOf } from './open-turn.ts';

/** One user input to its final answer. A host with its own loop calls the same `submit`, `prepare` and `record`. */
export async function runTurn(kit: TurnKit, input: UserInput, call: CallOptions): Promise<OpenTurn> {
  const hold = await kit.journal.hold();
  try {
    for (let next = input; ; next = { origin: 'continuation', content: 'Continue.' }) {
      const turn = await submit(kit, next, call.signal);
      try {
        turn.ended = await steps(kit, turn, call).catch(abortedOnly);
      } finally {
        await settle(kit, turn, turn.ended ?? 'failed', call.signal);
      }
      if (!mayContinue(kit, turn)) return turn;
    }
  } finally {
    await hold.release();
  }
}

/** Hygiene, the user's entry (its id is the turn's id), the engine's cues. */
export async function submit(kit: TurnKit, input: UserInput, signal: AbortSignal): Promise<OpenTurn> {
  await kit.repair();
  await relieve(kit, { trigger: 'hygiene', turn: null, judged: kit.views.gauge(input), signal });
  const [user, changes] = await Promise.all([kit.drafts.user(input, null), kit.views.changeDrafts(null)]);
  await kit.journal.append([...changes.drafts, user], changes.artifacts);
  kit.events.emit('turn.started', { session: kit.journal.session, turn: user.id });
  const notes = await kit.engine.begin({ turn: user.id, branch: kit.journal.branch(), signal });
  await kit.journal.append(await Promise.all(notes.map((note) => kit.drafts.note(note, kit.engine.name, user.id))));
  return openTurn(user.id, input);
}

async function steps(kit: TurnKit, turn: OpenTurn, call: CallOptions): Promise<TurnEnd> {
  while (turn.steps < kit.limits.steps) {
    if (call.signal.aborted) return 'aborted';
    const view = await prepare(kit, turn, call.signal);
    if (view.judgement.mark === 'over') return call.signal.aborted ? 'aborted' : 'exhausted';
    const next = await record(kit, turn, view, await kit.ask(view.request, call));
    if (next !== 'tools' && next !== 'retry') return next;
    if (next === 'tools') await kit.journal.append(await kit.tools.run(turn, call.signal));
  }
  return 'step-limit';
}

/** A judged view. At a mark the ladder runs once; the view made after it is only measured. */
export async function prepare(kit: TurnKit, turn: OpenTurn, signal: AbortSignal): Promise<View> {
  const steering = await Promise.all(kit.inbox.steering().map((input) => kit.drafts.user(input, turn.id)));
  const changes = await kit.views.changeDrafts(turn.id);
  await kit.journal.append([...changes.drafts, ...steering], changes.artifacts);
  let view = await kit.views.assemble(turn, signal);
  const trigger = turn.refused === null ? 'threshold' : 'overflow';
  const relieved = !view.replaced && (await relieve(kit, { trigger, turn, judged: view.judgement, signal }));
  if (relieved) view = await kit.views.assemble(turn, signal);
  const over = view.judgement.mark === 'over' && !signal.aborted;
  if (over) await kit.exhausted(turn, view);
  return view;
}

/** The step and its reply in one append. "Too long" is answered by the next `prepare`, at most twice in a row. */
export async function record(kit: TurnKit, turn: OpenTurn, view: View, answer: Answer): Promise<Next> {
  const [step] = await kit.journal.append(await kit.drafts.step(turn, view, answer));
  if (answer.kind === 'aborted') return 'aborted';
  if (answer.kind === 'failed') {
    kit.failed(turn, view, answer.fault);
    if (answer.fault.kind !== 'overflow') return 'failed';
    return turn.recoveries > kit.limits.recoveries ? 'exhausted' : 'retry';
  }
  accept(turn, answer);
  if (step !== undefined) kit.engine.observe(usageOf(step.id, view, answer));
  if (answer.calls.length > 0) return 'tools';
  return answer.finish === 'length' ? 'output-cap' : 'answered';
}

/** After the turn: index, announce, make room before the next input. */
export async function settle(kit: TurnKit, turn: OpenTurn, ended: TurnEnd, signal: AbortSignal): Promise<void> {
  await kit.engine.commit({ turn: turn.id, branch: kit.journal.branch(), ended, signal });
  kit.events.emit('turn.completed', { session: kit.journal.session, turn: turn.id, ended });
  await relieve(kit, { trigger: 'threshold', turn: null, judged: kit.views.threshold(), signal });
}

async function relieve(kit: TurnKit, ask: Climb): Promise<boolean> {
  const quiet = ask.judged.mark === 'under' || ask.judged.mark === 'prepare';
  if ((quiet && ask.trigger !== 'overflow') || ask.signal.aborted) return false;
  const leaf = kit.journal.marks.last?.id;
  const climbed = await kit.ladder.climb(ask);
  if (ask.turn !== null) ask.turn.declined = climbed.declined;
  return climbed.changed || kit.journal.marks.last?.id !== leaf; // a plan ends at the leaf, bookkeeping included
}
