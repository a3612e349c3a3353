import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  answers,
  asks,
  calls,
  codexRecords,
  event,
  item,
  meta,
  replies,
  says,
  tokens,
  turnContext,
  typed,
  wrapped,
} from '../../test/codex-records.ts';
import { lines, one, read, scratch, stamp } from '../../test/building.ts';
import { reasons, text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});

describe('compaction', () => {
  it('never reads the history that replaces, and keeps what is encrypted hidden', async () => {
    const { items, report } = await one(
      lines(
        meta('s'),
        asks('One.'),
        replies('Yes.'),
        wrapped('compacted', { message: '', replacement_history: [says('user', 'One.'), { type: 'compaction', encrypted_content: 'x' }] }),
        item({ type: 'compaction', encrypted_content: 'ZW5j' }),
        item({ type: 'context_compaction', encrypted_content: 'ZW5j' }),
        item({ type: 'additional_tools', tools: [] }),
        item({ type: 'ghost_snapshot' }),
      ),
    );
    expect(userTexts(items)).toEqual(['One.']);
    expect(items.filter((one) => one.kind === 'hidden').map((one) => one.body.kind)).toEqual([
      'compaction',
      'message',
      'message',
      'custom',
    ]);
    expect(report).toMatchObject({ compactions: 1, handoff: 0, hidden: 4 });
    expect(reasons(report)).toEqual([[8, 'ui-only']]);
  });
});

describe('rollback', () => {
  const turn = (said: string, reply: string): unknown[] => [
    event('task_started'),
    turnContext(),
    asks(said),
    typed(said),
    replies(reply),
    event('task_complete'),
  ];
  const back = (count: unknown): unknown => event('thread_rolled_back', { num_turns: count });

  it.each([
    [1, ['One.', 'Three.'], ['A.', 'C.']],
    [2, ['Three.'], ['C.']],
    [9, ['Three.'], ['C.']],
    [0, ['One.', 'Two.', 'Three.'], ['A.', 'B.', 'C.']],
  ])('takes %s turns away', async (count, asked, replied) => {
    const { items, report } = await one(
      lines(meta('s'), asks('<environment_context>'), ...turn('One.', 'A.'), ...turn('Two.', 'B.'), back(count), ...turn('Three.', 'C.')),
    );
    expect(userTexts(items).slice(1)).toEqual(asked);
    expect(items.filter((one) => one.kind === 'assistant').map(text)).toEqual(replied);
    expect(report.skipped.filter(({ reason }) => reason === 'rewound').length).toBe(2 * (3 - asked.length));
  });

  it('rolls back twice, and only turns that still stand', async () => {
    const { items } = await one(
      lines(meta('s'), ...turn('One.', 'A.'), ...turn('Two.', 'B.'), back(1), ...turn('Three.', 'C.'), back(2), ...turn('Four.', 'D.')),
    );
    expect(userTexts(items)).toEqual(['Four.']);
  });

  it('tells turns apart that no reply stands between', async () => {
    const started = [
      event('task_started'),
      asks('One.'),
      typed('One.'),
      event('task_started'),
      asks('<skill> two'),
      typed('<skill> two'),
      replies('B.'),
    ];
    expect(userTexts((await one(lines(meta('s'), ...started, back(1)))).items)).toEqual(['One.']);
    const queued = [turnContext(), asks('One.'), typed('One.'), asks('Two.'), typed('Two.')];
    expect(userTexts((await one(lines(meta('s'), ...queued, back(1)))).items)).toEqual(['One.']);
  });

  it('counts a steering text as a turn of its own, and calls on both sides do not pair', async () => {
    const { items, report } = await one(
      lines(
        meta('s'),
        ...turn('One.', 'A.'),
        calls('a'),
        asks('Faster.'),
        typed('Faster.'),
        answers('a', 'late'),
        back(1),
        calls('a'),
        answers('a', 'new'),
      ),
    );
    expect(userTexts(items)).toEqual(['One.']);
    expect(items.flatMap((one) => (one.kind === 'result' ? [one.part.output.value] : []))).toEqual([
      'No result was recorded for this call.',
      'new',
    ]);
    expect(report).toMatchObject({ toolCalls: 2, callsWithoutResult: 1 });
  });
});

describe('usage', () => {
  it('counts a call once, ignores empty ones and finds the message behind its results', async () => {
    const { items, report } = await one(
      lines(
        meta('s'),
        tokens(0, 0, 0, 0),
        event('token_count', { info: null }),
        asks('Go.'),
        calls('a'),
        answers('a', '1'),
        tokens(5),
        tokens(5),
        replies('Done.'),
        tokens(9, 7, 7, 1),
      ),
    );
    expect(items.flatMap((one) => (one.kind === 'assistant' ? [one.usage] : []))).toEqual([
      { input: 6, output: 3, cacheRead: 4, cacheWrite: 0, reasoning: 1 },
      { input: 0, output: 1, cacheRead: 7, cacheWrite: 0, reasoning: 1 },
    ]);
    expect(report.usage.calls).toBe(2);
  });

  it('never gives one message the tokens of two calls', async () => {
    const { items, report } = await one(lines(meta('s'), asks('Go.'), replies('Yes.'), tokens(5), tokens(9, 50)));
    expect(items[1]).toMatchObject({ usage: { input: 6 } });
    expect(report.usage).toMatchObject({ calls: 2, input: 52 });
  });

  it('counts tokens of no message by themselves', async () => {
    expect((await one(lines(meta('s'), asks('Go.'), tokens(5)))).report.usage).toMatchObject({ calls: 1, input: 6 });
  });
});

describe('forks, and files with several threads', () => {
  it('takes the first header and reads the copied items once', async () => {
    for (const link of [{ forked_from_id: 'parent' }, { source: { subagent: { thread_spawn: { parent_thread_id: 'parent' } } } }, {}]) {
      const { sessions } = await read(
        lines(
          meta('child', link),
          meta('parent', { base_instructions: { text: 'old' } }),
          asks('One.'),
          replies('A.'),
          meta('child'),
          asks('Two.'),
          replies('B.'),
        ),
      );
      expect(sessions.map(({ id, system, items, report }) => [id, system, userTexts(items), report.meta])).toEqual([
        ['child', '', ['One.', 'Two.'], 3],
      ]);
    }
  });

  it('knows the ancestors of a copied header', async () => {
    const { sessions } = await read(
      lines(meta('c', { forked_from_id: 'b' }), meta('b', { forked_from_id: 'a' }), asks('Two.'), meta('a'), asks('One.')),
    );
    expect(sessions.length).toBe(1);
  });

  it('reads two threads of one file apart', async () => {
    const { sessions } = await read(lines(meta('a'), asks('One.'), replies('A.'), meta('b'), asks('Two.'), calls('x'), meta('c')));
    expect(sessions.map(({ id, items, report }) => [id, userTexts(items), report.records])).toEqual([
      ['a', ['One.'], 3],
      ['b', ['Two.'], 3],
      ['c', [], 1],
    ]);
  });
});

describe('what is damaged', () => {
  it('reads around a cut-off record, and never takes a payload for a record', async () => {
    const torn = JSON.stringify(replies('lost')).slice(0, -3);
    const { items, report } = await one(
      `${lines(meta('s'), asks('One.'))}\n${torn}${JSON.stringify(replies('kept'))}\n${torn}\n${JSON.stringify(asks('Two.'))}${JSON.stringify(replies('B.'))}\n{"timesta`,
    );
    expect(items.map(text)).toEqual(['One.', 'kept', 'Two.', 'B.']);
    expect(reasons(report)).toEqual([
      [3, 'torn'],
      [4, 'torn'],
      [6, 'torn'],
    ]);
    expect(report.notes).toEqual([{ line: 5, reason: 'glued' }]);
  });

  it('lists broken insides', async () => {
    const { report } = await one(
      lines(
        meta('s'),
        { ...stamp, type: 'response_item', payload: null },
        item({ role: 'user' }),
        item({ type: 'message', role: 'poet', content: [] }),
        item(says('user', ' ')),
        event('nobody_knows'),
        { x: 1 },
      ),
    );
    expect(reasons(report)).toEqual([
      [2, 'malformed'],
      [3, 'malformed'],
      [4, 'unknown-role'],
      [5, 'empty-user'],
      [6, 'ui-only'],
      [7, 'malformed'],
    ]);
  });

  it('takes a title from its event', async () => {
    expect((await one(lines(meta('s'), asks('x'), event('thread_name_updated', { thread_name: 'Pots' })))).title).toBe('Pots');
  });

  it('survives any order of any records', async () => {
    const pool = [
      ...codexRecords(),
      ...[0, 1, 2, 7].map((num_turns) => event('thread_rolled_back', { num_turns })),
      meta('other', { history_mode: 'paginated' }),
      event('item_completed', { item: { type: 'CommandExecution', id: 'c1', command: 'ls', aggregated_output: 'pot' } }),
      event('agent_reasoning', { text: 'alone' }),
      typed('alone'),
      item({ type: 'web_search_call', id: 'w', action: {} }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 30 }), async (records) => {
        const { sessions } = await read(lines(meta('s'), ...records));
        const told = sessions.flatMap(({ report }) => report.skipped.map(({ line }) => line ?? 0));
        expect(told.length).toBe(new Set(told).size);
        expect(sessions.reduce((sum, { report }) => sum + report.records, 0)).toBe(records.length + 1);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
