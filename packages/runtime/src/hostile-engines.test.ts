import { hostileEngines } from '@palimpsest/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Entry, Session, SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

/** Each of them in the long run, `npm run soak`; else every fourth. */
const tried = hostileEngines.filter((_, at) => inject('soak') || at % 4 === 0);

let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime();
});
afterAll(async () => {
  await bench.close();
});

const TURNS = 14;
/** Those that hang would keep the test; a busy machine may make any other late. */
const deadlinesOf = (name: string): { readonly planMs: number; readonly compactMs: number; readonly callMs: number } => {
  const ms = name.startsWith('hangs') ? 60 : 60_000;
  return { planMs: ms, compactMs: ms, callMs: ms };
};
const limits = { window: { tokens: 8_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };

/** What the host declines of an engine that keeps to the form: the line says what was proposed, not by whom. */
const refused: Readonly<Record<string, RegExp>> = {
  grows: /^compact: it would free -\d+ tokens/u,
  'claims-to-fit': /^compact: under-mark$/u,
};

/** What one session in which nothing else goes wrong cannot show: these the conformance kit has to find. */
const unseen: ReadonlySet<string> = new Set([
  // shows beside another session, or once the session is opened again
  'shares-itself',
  'remembers-sessions',
  'notes-of-others',
  'forgets',
  'believes-itself',
  'keeps-truth-aside',
  'counts-other-sessions',
  // shows when a turn is told of again, ends otherwise, is aborted, undone, or left for another branch
  'hangs-when-told-again',
  'commits-once',
  'says-nothing-of-commits',
  'knows-one-ending',
  'counts-twice',
  'ignores-abort',
  'waits-for-a-signal',
  'waits-to-begin',
  'tool-ignores-abort',
  'clings-to-summaries',
  'remembers-the-leaf',
  // shows when two plans, or two requests, are laid side by side
  'rolls-dice',
  'reads-the-clock',
  'reads-the-calendar',
  'previews-otherwise',
  'writes-when-it-plans',
  'draws-lots',
  'dates-its-summaries',
  'learns-from-usage',
  'breaks-the-prefix',
  // shows in what this session does not have: odd text, a fault of a model, a huge branch, a newer host, an operator's wish, a refused plan, a tool's word in a summary
  'chokes-on-text',
  'believes-the-model',
  'stalls',
  'knows-all-fields',
  'knows-all-of-a-turn',
  'minds-no-focus',
  'keeps-nothing-recent',
  'knows-no-overflow',
  'sulks-when-corrected',
  'throws-at-options',
  'thaws-options',
  'trusts-tools',
  'trusts-itself',
  // the host counts for itself, cuts what is too long, makes a legal name, says who speaks, and takes no trust from a plan
  'claims-no-tokens',
  'claims-a-fortune',
  'counts-nothing-in-plans',
  'shortens-by-word',
  'swells',
  'talks-without-end',
  'names-tools-oddly',
  'takes-notes-without-end',
  'trusts-tools-in-plans',
  'speaks-as-the-host',
  'notes-orders',
  'boasts',
  'miscounts-what-is-gone',
  'tells-of-it-at-length',
  // the host puts up with it
  'shortens-what-is-not',
  'shortens-no-part',
  'hoards',
  'loses-its-state',
  'gives-up',
  'gives-crumbs',
  'stands-above-its-floor',
  'owns-what-it-does-not',
  // shows in the process alone, or after the session
  'leaks-timers',
  'rejects-in-close',
  'hangs-in-close',
]);
/** No session is opened on these. */
const refusedAtOnce: ReadonlySet<string> = new Set(['manifest-invalid', 'options-required']);

/** Every second reply asks for a tool, the engine's own if it has one, so that each turn has two steps. */
const talks = (): FunctionModel =>
  model.does(({ tools }, call) =>
    call % 2 === 0
      ? { calls: [{ name: tools.at(-1)?.name ?? 'read', input: { at: call } }] }
      : { text: `Answer ${String(call)} ${prose(200, 'a')}` },
  );

it.each(tried.filter(({ rule }) => refusedAtOnce.has(rule)))(
  'no session begins with an engine that $name',
  async ({ name, definition }) => {
    const opened = async (): Promise<unknown> =>
      (await bench.runtime({ plugins: [definition] })).open({
        id: `under-${name}` as SessionId,
        name: null,
        tools: [],
        engine: name,
        chosen: { model, limits },
      });
    await expect(opened()).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:PLUGIN_MANIFEST_INVALID|CONFIG_INVALID)$/u) as string,
    });
  },
);

it.each(tried.filter(({ rule }) => !refusedAtOnce.has(rule)))(
  'a whole session survives an engine that $name',
  async ({ name, definition }) => {
    talks();
    runtime.registerContextEngine(definition);
    const read = tool('read', () => Promise.resolve(prose(500, 'r')));
    const { session } = await runtime.open({
      id: `under-${name}` as SessionId,
      name: null,
      tools: [read],
      engine: name,
      chosen: { model, limits },
      deadlines: deadlinesOf(name),
    });
    for (let turn = 0; turn < TURNS; turn += 1)
      expect(await session.send(`Question ${String(turn)} ${prose(100, 'q')}`).result).toMatchObject({ ended: 'answered', steps: 2 });

    const entries = await entriesOf(runtime, session.id);
    const steps = entries.filter((entry) => entry.kind === 'step');
    expect(steps).toHaveLength(2 * TURNS);
    for (const step of steps) expect(step.kind === 'step' && step.judgement.tokens <= step.budget.effective).toBe(true);
    for (let step = 1; step <= steps.length; step += 5) expect((await session.why(step)).verified).toBe(true);
    expect(entries.filter((entry) => entry.kind === 'message' && entry.origin === 'user_input')).toHaveLength(TURNS);
    expect(calls(entries)).toEqual({ asked: TURNS, answered: TURNS });
    const lines = (await linesOf(session, steps)).filter(
      (line) => line.includes(`${name}@1.0.0 `) || line.includes(`${name}@1.0.0:`) || refused[name]?.test(line) === true,
    );
    if (unseen.has(name)) expect(lines).toEqual([]);
    else expect(lines.length).toBeGreaterThan(0);
    await session.close();
  },
  600_000,
);

/** Where a person can read what an engine did: what the guard reported, and what steps had to do without. */
async function linesOf(session: Session, steps: readonly Entry[]): Promise<readonly string[]> {
  const declined = steps.flatMap((step) => (step.kind === 'step' ? step.declined.map(({ what, why }) => `${what}: ${why}`) : []));
  return [...(await session.status()).engine.failures, ...declined];
}

function calls(entries: Awaited<ReturnType<typeof entriesOf>>): { readonly asked: number; readonly answered: number } {
  const parts = entries.flatMap((entry) => (entry.kind === 'message' ? entry.message.content.map((part) => part.type) : []));
  return { asked: parts.filter((type) => type === 'tool-call').length, answered: parts.filter((type) => type === 'tool-result').length };
}
