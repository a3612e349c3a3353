import { describe, expect, it } from 'vitest';
import type {
  BranchReader,
  CommittedTurn,
  CompactRequest,
  ContextEngine,
  EngineHost,
  EntryId,
  Message,
  Origin,
  Placed,
  PlanRequest,
  UsageReport,
} from '@palimpsest/contracts';
import { fromCompressor, type MessageCompressor } from './from-compressor.ts';

const id = (at: number): EntryId => `e${String(at)}` as EntryId;
const said = (role: 'user' | 'assistant', text: string): Message => ({ role, content: [{ type: 'text', text }] });
const origins: Readonly<Record<string, Origin>> = { user: 'user_input', assistant: 'model', tool: 'tool' };
const messages: readonly Message[] = [
  said('user', 'first question'),
  said('assistant', 'first answer'),
  said('user', 'second question'),
  said('assistant', 'second answer'),
  said('user', 'newest question'),
];

function branchOf(all: readonly Message[] = messages): BranchReader {
  const placed = all.map(
    (message, at) =>
      ({
        entry: { id: id(at), kind: 'message', origin: origins[message.role], message },
        shape: { kind: 'whole' },
        shownTokens: 10,
        group: id(at),
      }) as unknown as Placed,
  );
  async function* walk(items: readonly Placed[]): AsyncGenerator<Placed> {
    for (const item of items) yield await Promise.resolve(item);
  }
  const at = (wanted: EntryId | null): number => placed.findIndex(({ entry }) => entry.id === wanted);
  return {
    newestFirst: (from) => walk(placed.slice(0, from === undefined ? undefined : at(from) + 1).toReversed()),
    oldestFirst: (after) => walk(placed.slice(at(after) + 1)),
    get: (wanted) => Promise.resolve(placed[at(wanted)] ?? null),
    first: id(0),
    last: id(all.length - 1),
    shownTokens: all.length * 10,
    compaction: null,
  };
}

const host = {
  session: 'a-session',
  tokens: { count: (text: string) => text.length, block: (text: string) => text.length },
  artifacts: { get: () => Promise.resolve(null) },
} as unknown as EngineHost<never>;
const budget = { window: { tokens: 8_000 }, available: 5_000 };
const planRequest = { branch: branchOf(), newestUserEntry: id(4), budget } as unknown as PlanRequest;
const compactRequest = {
  branch: branchOf(),
  newestUserEntry: id(4),
  protectedEntries: [id(4)],
  budget,
  trigger: 'manual',
  goalTokens: 20,
  focus: 'herons',
  signal: new AbortController().signal,
} as unknown as CompactRequest;
const usage = { usage: { input: 7, output: 3 } } as unknown as UsageReport;
const turn = { branch: branchOf() } as unknown as CommittedTurn;

async function lifted(own: Partial<MessageCompressor>): Promise<ContextEngine> {
  const { factory } = fromCompressor({ name: 'any', version: '1.0.0', create: () => ({ compress: (list) => list, ...own }) });
  return factory(host);
}
const breaks = (): Promise<never> => Promise.reject(new Error('the hook broke'));

describe('a hook that rejects', () => {
  it('is the fault of the call that ran it', async () => {
    await expect((await lifted({ onTurnComplete: breaks })).commit?.(turn)).rejects.toThrow('the hook broke');
    await expect((await lifted({ onSessionEnd: breaks })).close?.()).rejects.toThrow('the hook broke');
    await expect((await lifted({ updateModel: breaks })).plan(planRequest)).rejects.toThrow('the hook broke');
    await expect((await lifted({ selectContext: breaks })).plan(planRequest)).rejects.toThrow('the hook broke');
    await expect((await lifted({ updateModel: breaks })).compact?.(compactRequest)).rejects.toThrow('the hook broke');
    await expect(lifted({ onSessionStart: breaks })).rejects.toThrow('the hook broke');
  });

  it('is handed on where the host does not wait', async () => {
    const answer: unknown = (await lifted({ updateFromResponse: breaks })).observe?.(usage);
    await expect(answer).rejects.toThrow('the hook broke');
  });
});

describe('each row of the mapping', () => {
  it('compress: what has to stay keeps its own text, the rest is shortened', async () => {
    const outcome = await (
      await lifted({ compress: (list) => list.map((message) => ({ ...message, content: 'short' })) })
    ).compact?.({ ...compactRequest, protectedEntries: [id(3)] });
    expect(outcome?.kind === 'compacted' && outcome.drafts.reductions?.map(({ entry }) => entry)).toEqual([id(0), id(1), id(2)]);
  });

  it('select_context: messages left out are hidden for this plan; null leaves all', async () => {
    const asks: unknown[] = [];
    const plan = await (
      await lifted({
        selectContext: (list, ask) => {
          asks.push(ask);
          return list.slice(2);
        },
      })
    ).plan(planRequest);
    expect(plan.segments).toEqual([expect.objectContaining({ through: id(1), show: 'nothing' }), { through: id(4), show: 'entries' }]);
    expect(asks).toEqual([{ budgetTokens: 5_000, incomingMessage: { id: id(4), role: 'user', content: 'newest question' } }]);
    expect((await (await lifted({ selectContext: () => null })).plan(planRequest)).segments).toEqual([{ through: id(4), show: 'entries' }]);
  });

  it('get_tool_schemas and handle_tool_call: tools, with a sentence where there is no handler', async () => {
    const getToolSchemas = (): [{ name: string }] => [{ name: 'look' }];
    const call = { branch: branchOf(), maxTokens: 100, signal: new AbortController().signal };
    const [look] = (await lifted({ getToolSchemas, handleToolCall: (name, args) => JSON.stringify({ name, args }) })).tools ?? [];
    expect(look).toMatchObject({ name: 'look', description: '', inputSchema: { type: 'object' } });
    expect(await look?.run({ at: 1 }, call)).toBe('{"name":"look","args":{"at":1}}');
    expect(await (await lifted({ getToolSchemas })).tools?.[0]?.run({}, call)).toBe('{"error":"look has no handler"}');
  });

  it('update_model once per window; usage, turns and the session are told of', async () => {
    const told: unknown[] = [];
    const engine = await lifted({
      updateModel: (model) => {
        told.push(model);
      },
      updateFromResponse: (used) => {
        told.push(used);
      },
      onTurnComplete: (list) => {
        told.push(list.length);
      },
      onSessionStart: (session) => {
        told.push(`start ${session}`);
      },
      onSessionEnd: (session) => {
        told.push(`end ${session}`);
      },
    });
    await engine.plan(planRequest);
    await engine.plan(planRequest);
    await engine.observe?.(usage);
    expect(await engine.commit?.(turn)).toBe('committed');
    await engine.close?.();
    expect(told).toEqual([
      'start a-session',
      { contextLength: 8_000 },
      { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      5,
      'end a-session',
    ]);
  });
});
