import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsOf } from '@palimpsest/contracts';
import type { Entry, Message, Placed, RenderAsk, RenderBlock } from '@palimpsest/contracts';
import { assistantDraft, callDraft, customDraft, draftOf, resultDraft, userDraft, anyBody } from '@palimpsest/testing';
import { EMPTY_INPUT, EMPTY_RESULT, OPENING } from './framing.ts';
import { PlanRenderer } from './plan-renderer.ts';

const renderer = new PlanRenderer();
const ask = {
  route: 'openai-chat:test/model',
  system: 'sys',
  tools: [],
  settings: {},
  artifact: () => Promise.resolve('from an artifact'),
  opaqueAfterSeq: 0,
};

function placed(draft: object, shape: Placed['shape'] = { kind: 'whole' }, seq = 1): RenderBlock {
  const entry = { parent: null, session: 's', seq, depth: 0, ...draft } as unknown as Entry;
  return { kind: 'entry', placed: { entry, shape, shownTokens: 1, group: entry.id } };
}

async function messages(blocks: readonly RenderBlock[], more: Partial<RenderAsk> = {}): Promise<readonly Message[]> {
  return (await renderer.render({ ...ask, blocks, ...more })).messages;
}

/** Of a call as Chat Completions has it. */
const chatLength = (message: Message): number =>
  JSON.stringify({
    role: 'assistant',
    content: null,
    tool_calls: callsOf(message).map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  }).length;
const texts = (list: readonly Message[]): readonly string[] =>
  list.flatMap((message) => message.content.flatMap((part) => ('text' in part ? [part.text] : [])));

describe('rendering a plan', () => {
  it('keeps the order', async () => {
    const request = await renderer.render({ ...ask, blocks: [placed(userDraft('hello')), placed(assistantDraft('hi'))] });
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(request.system).toBe('sys');
  });

  it('shows a summary as framed reference material in role user, from text or from an artifact', async () => {
    const summary = (text: { inline: string } | { artifact: never }): RenderBlock => ({
      kind: 'summary',
      through: 'e' as never,
      segment: { text, tokens: 1 },
    });
    const [inline, artifact] = await messages([summary({ inline: 'what was' }), summary({ artifact: 'a' as never })]);
    expect(inline?.role).toBe('user');
    expect(texts([inline as Message])[0]).toContain('what was');
    expect(texts([artifact as Message])[0]).toContain('from an artifact');
    expect(texts([inline as Message])[0]).toMatch(/for reference/u);
  });

  it('begins with the user also where the view begins with the model', async () => {
    expect(texts(await messages([placed(assistantDraft('hi'))]))).toEqual([OPENING, 'hi']);
    expect(texts(await messages([]))).toEqual([OPENING]);
  });

  it('begins the same as the view grows, also where its first entry renders to nothing', async () => {
    const blocks = [placed(assistantDraft(' ')), placed(userDraft('hello')), placed(assistantDraft('hi'))];
    const grown = await Promise.all([1, 2, 3].map(async (count) => texts(await messages(blocks.slice(0, count)))));
    expect(grown).toEqual([[OPENING], [OPENING, 'hello'], [OPENING, 'hello', 'hi']]);
  });

  it('never sends empty content', async () => {
    const list = await messages([
      placed(userDraft('   ')),
      placed(assistantDraft(' \n')),
      placed(callDraft({ toolCallId: 'c', toolName: 'read', input: {} })),
      placed(resultDraft('c', '')),
    ]);
    expect(list.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(texts(list)).toEqual([EMPTY_INPUT]);
    expect(list[2]).toMatchObject({ content: [{ output: { type: 'text', value: EMPTY_RESULT } }] });
  });

  it('sends neither NUL nor lone surrogates, in any place', async () => {
    const list = await messages([
      placed(userDraft('a\u0000b\ud800')),
      placed(callDraft({ toolCallId: 'c', toolName: 'read', input: { 'k\u0000': ['v\udc00'] } })),
      placed(resultDraft('c', '\u0000')),
    ]);
    const sent = JSON.stringify(list);
    expect(sent).not.toContain('\\u0000');
    expect(sent).not.toMatch(/\\ud[89a-f][0-9a-f]{2}/u);
  });

  it('makes ids, names and arguments legal on both sides of a pair', async () => {
    const id = `call|${'x'.repeat(450)}`;
    const list = await messages([
      placed(userDraft('u')),
      placed(callDraft({ toolCallId: id, toolName: 'my tool!', input: 'no json' })),
      placed(resultDraft(id, 'r')),
    ]);
    const call = list[1]?.content[0] as { toolCallId: string; toolName: string; input: unknown };
    const result = list[2]?.content[0] as { toolCallId: string };
    expect(call.toolCallId).toMatch(/^[A-Za-z0-9_-]{1,40}$/u);
    expect(result.toolCallId).toBe(call.toolCallId);
    expect(call.toolName).toBe('my_tool_');
    expect(call.input).toEqual({ _raw: 'no json' });
  });

  it('sends each call id once, shortened results too, and counts room for the number', async () => {
    const shape = {
      kind: 'reduced',
      items: [{ entry: 'e' as never, part: 'c', target: 'result', text: 'short', tokens: 1, reason: 'pruned' }],
    } as const;
    const pair = (): readonly RenderBlock[] => [
      placed(callDraft({ toolCallId: 'c', toolName: 'read', input: {} })),
      placed(resultDraft('c', 'long'), shape),
    ];
    const blocks = [placed(userDraft('u')), ...pair(), ...pair()];
    const list = await messages(blocks);
    expect(list.flatMap(({ content }) => content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])))).toEqual([
      'c',
      'c',
      'c_2',
      'c_2',
    ]);
    expect(list[4]).toMatchObject({ content: [{ output: { value: 'short' } }] });
    const [first, again] = [list[1] as Message, list[3] as Message];
    expect(renderer.countable(first).text.length).toBeGreaterThanOrEqual(chatLength(again));
  });

  it('sends opaque parts on their own route only, and only behind the epoch', async () => {
    const draft = draftOf({
      kind: 'message',
      origin: 'model',
      message: {
        role: 'assistant',
        content: [
          { type: 'opaque', provider: 'anthropic', format: 'thinking', bytes: '{}' },
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'hi' },
        ],
      },
    });
    const kinds = async (route: string, opaqueAfterSeq: number): Promise<readonly string[]> =>
      (await messages([placed(userDraft('u')), placed(draft, { kind: 'whole' }, 5)], { route, opaqueAfterSeq }))[1]?.content.map(
        ({ type }) => type,
      ) ?? [];
    expect(await kinds('anthropic:anthropic/m', 4)).toEqual(['opaque', 'text']);
    expect(await kinds('anthropic:anthropic/m', 5)).toEqual(['text']);
    expect(await kinds('openai-chat:openai/m', 0)).toEqual(['text']);
  });

  it('leaves out a message that is reasoning alone, silent entries and covered ones', async () => {
    const reasoning = draftOf({
      kind: 'message',
      origin: 'model',
      message: { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
    });
    const list = await messages([
      placed(userDraft('u')),
      placed(reasoning),
      placed(assistantDraft('x'), { kind: 'silent' }),
      placed(assistantDraft('y'), { kind: 'covered', by: 'c' as never, segment: null }),
    ]);
    expect(texts(list)).toEqual(['u']);
  });

  it('shows reductions and notes', async () => {
    const result = resultDraft('c', 'long');
    const shape = {
      kind: 'reduced',
      items: [{ entry: result.id, part: 'c', target: 'result', text: 'short', tokens: 1, reason: 'pruned' }],
    } as const;
    const list = await messages([
      placed(userDraft('u')),
      placed(callDraft({ toolCallId: 'c', toolName: 'read', input: {} })),
      placed(result, shape),
      placed(customDraft('cue', null, 'remember this')),
    ]);
    expect(list[2]).toMatchObject({ content: [{ output: { value: 'short' } }] });
    expect(texts([list[3] as Message])[0]).toContain('remember this');
  });

  it('gives the same bytes again, and counts at least what it sends, for any message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBody(), { maxLength: 6 }), async (bodies) => {
        const blocks = bodies.map((body) => placed(draftOf(body)));
        const [once, twice] = [await messages(blocks), await messages(blocks)];
        expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
        for (const body of bodies) {
          if (body.kind !== 'message' || body.hidden === true) continue;
          const sent = texts(await messages([placed(userDraft('u')), placed(draftOf(body))]))
            .slice(1)
            .join('');
          expect(renderer.countable(body.message).text.length).toBeGreaterThanOrEqual(sent.length);
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
