import { afterAll, describe, expect, it } from 'vitest';
import { header, lines, one, pi, read, said, scratch, stamp } from '../../test/building.ts';
import { text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});

describe('pi', () => {
  it('reads several sessions of one file, each from its own place', async () => {
    const { sessions } = await read(
      lines(header('a'), pi('1', null, said('one')), '{"torn', header('b'), pi('1', null, said('two')), header('c')),
    );
    expect(sessions.map(({ id, items, report }) => [id, userTexts(items), report.records, report.skipped.length])).toEqual([
      ['a', ['one'], 2, 1],
      ['b', ['two'], 2, 0],
      ['c', [], 1, 0],
    ]);
  });

  it('reads two sessions glued on one line', async () => {
    const { sessions } = await read(
      lines(
        header('a'),
        JSON.stringify(pi('1', null, said('one'))) + JSON.stringify(header('b')) + JSON.stringify(pi('1', null, said('two'))),
      ),
    );
    expect(sessions.map(({ items }) => userTexts(items))).toEqual([['one'], ['two']]);
  });

  it('keeps an id with other content, and follows the newest leaf with tree', async () => {
    const content = lines(
      header('a'),
      pi('1', null, said('root')),
      pi('2', '1', said('left')),
      pi('3', '1', said('kept')),
      pi('3', '1', said('other')),
      pi('4', '3', said('leaf')),
    );
    const linear = await one(content);
    expect(userTexts(linear.items)).toEqual(['root', 'left', 'kept', 'other', 'leaf']);
    expect(linear.report.notes).toEqual([{ line: 5, reason: 'id-repeated' }]);
    const tree = await one(content, { tree: true });
    expect(userTexts(tree.items)).toEqual(['root', 'kept', 'other', 'leaf']);
    expect(tree.report.skipped).toEqual([{ line: 3, reason: 'rewound', detail: 'on a branch that was left' }]);
  });

  it('pairs within the followed branch only', async () => {
    const call = (id: string): unknown => ({ role: 'assistant', content: [{ type: 'toolCall', id, name: 't', arguments: {} }] });
    const answer = (value: string): unknown => ({ role: 'toolResult', toolCallId: 'a', content: value });
    const content = lines(header('a'), pi('1', null, call('a')), pi('2', '1', answer('left')), pi('3', '1', answer('kept')));
    expect((await one(content, { tree: true })).items.flatMap((item) => (item.kind === 'result' ? [item.part.output.value] : []))).toEqual([
      'kept',
    ]);
    expect((await one(content)).report.skipped).toMatchObject([{ line: 4, reason: 'duplicate-result' }]);
  });

  it('applies a patch that comes later', async () => {
    const { items, report } = await one(
      lines(header('a'), pi('1', null, said('wrong')), {
        type: 'entry_patch',
        id: '2',
        parentId: '1',
        targetId: '1',
        ...stamp,
        message: said('right'),
      }),
    );
    expect(userTexts(items)).toEqual(['right']);
    expect(report).toMatchObject({ read: 1, hidden: 1, meta: 1 });
  });

  it('keeps what has no place of its own: blobs, unknown blocks and roles, signatures', async () => {
    const blocks = [
      { type: 'text', text: 'a', textSignature: 's' },
      { type: 'thinking', thinking: 'b', thinkingSignature: '{"x": 1}' },
      { type: 'thinking', thinking: 'c' },
      { type: 'new', x: 1 },
    ];
    const content = lines(
      header('a'),
      pi('1', null, said([{ type: 'image', data: 'blob:sha256:00', mimeType: 'image/png' }])),
      pi('2', '1', { role: 'assistant', provider: 'openai', content: blocks }),
      pi('3', '2', { role: 'oracle', content: 'x' }),
      pi('4', '3', null),
    );
    const { items, report } = await one(content);
    expect(text(items[0])).toContain('blob:sha256:00');
    expect(items[1]).toMatchObject({
      message: {
        content: [
          { type: 'text', providerOptions: { pi: { textSignature: 's' } } },
          { type: 'reasoning', text: 'b' },
          { type: 'opaque', provider: 'openai', bytes: JSON.stringify(blocks[1]) },
          { type: 'reasoning', text: 'c' },
          { type: 'opaque', format: 'new', bytes: '{"type":"new","x":1}' },
        ],
      },
    });
    expect(report).toMatchObject({
      thinking: 2,
      thinkingSigned: 1,
      images: 1,
      notes: [{ line: 3, reason: 'unknown-block' }],
      skipped: [
        { line: 4, reason: 'unknown-role' },
        { line: 5, reason: 'malformed' },
      ],
    });
  });

  it('tells shell runs, hidden ones, summaries and notices', async () => {
    const content = lines(
      header('a'),
      pi('1', null, { role: 'bashExecution', command: 'ls', output: 'x', exitCode: 2 }),
      pi('2', '1', { role: 'bashExecution', command: 'pw', output: 'y', excludeFromContext: true }),
      pi('3', '2', { role: 'hookMessage', content: 'hook' }),
      pi('4', '3', { role: 'custom', customType: 'handoff', content: 'sum' }),
      pi('5', '4', said('  ')),
      { type: 'branch_summary', id: '6', parentId: '5', fromId: '3', summary: 'left', ...stamp },
      { type: 'session_info', id: '7', parentId: '6', name: 'Titled', ...stamp },
      { type: 'event', ...stamp },
    );
    const { items, report, title } = await one(content);
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual([
      'observation',
      'hidden',
      'notice',
      'hidden',
      'hidden',
    ]);
    expect(text(items[0])).toBe('$ ls\nx\n(exit code 2)');
    expect(report).toMatchObject({ observation: 2, notice: 1, handoff: 1, meta: 2, hidden: 3 });
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['empty-user', 'ui-only']);
    expect(title).toBe('Titled');
  });
});
