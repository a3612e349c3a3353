import { hostileEngines } from '@palimpsest/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => { bench = await Bench.open(); });
afterAll(async () => { await bench.close(); });

const TURNS = 14;
const deadlines = { planMs: 150, compactMs: 150, callMs: 150 };
const limits = { window: { tokens: 8_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };

/** Every second reply asks for a tool, so that each turn has two steps. */
const talks = (): FunctionModel => model.does((_request, call) => (call % 2 === 0 ? { calls: [{ name: 'read', input: { at: call } }] } : { text: `Answer ${String(call)} ${prose(200, 'a')}` }));

it.each(hostileEngines)('a whole session survives an engine that $name', async ({ name, definition }) => {
  talks();
  const runtime = await bench.runtime({ plugins: [definition] });
  const read = tool('read', () => Promise.resolve(prose(500, 'r')));
  const { session } = await runtime.open({ id: `under-${name}` as SessionId, name: null, tools: [read], engine: name, chosen: { model, limits }, deadlines });
  for (let turn = 0; turn < TURNS; turn += 1) expect(await session.send(`Question ${String(turn)} ${prose(100, 'q')}`).result).toMatchObject({ ended: 'answered', steps: 2 });

  const entries = await entriesOf(runtime, session.id);
  const steps = entries.filter((entry) => entry.kind === 'step');
  expect(steps).toHaveLength(2 * TURNS);
  for (const step of steps) expect(step.kind === 'step' && step.judgement.tokens <= step.budget.effective).toBe(true);
  for (let step = 1; step <= steps.length; step += 5) expect((await session.why(step)).verified).toBe(true);
  expect(entries.filter((entry) => entry.kind === 'message' && entry.origin === 'user_input')).toHaveLength(TURNS);
  expect(calls(entries)).toEqual({ asked: TURNS, answered: TURNS });
  await session.close();
}, 120_000);

function calls(entries: Awaited<ReturnType<typeof entriesOf>>): { readonly asked: number; readonly answered: number } {
  const parts = entries.flatMap((entry) => (entry.kind === 'message' ? entry.message.content.map((part) => part.type) : []));
  return { asked: parts.filter((type) => type === 'tool-call').length, answered: parts.filter((type) => type === 'tool-result').length };
}
