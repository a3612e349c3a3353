import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch, stamp } from '../../test/building.ts';
import { call, contents, gemini, geminiDocument, geminiRecords, head, response, spent, thought, user } from '../../test/gemini-records.ts';
import { readWhole, reasons, text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const document = (...messages: unknown[]): string => JSON.stringify({ sessionId: 'g', projectHash: 'h', messages });

describe('the document', () => {
  it('reads content in each of its forms', async () => {
    const { items, report } = await one(
      document(
        user('a', 'plain'),
        user('b', { text: 'part' }),
        user(
          'c',
          [
            { text: 'list' },
            'bare',
            { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            { fileData: { mimeType: 'application/pdf', fileUri: 'gs://x' } },
          ],
          { displayContent: 'no' },
        ),
        user('d', [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
        user('e', '  '),
        user('f', [{ strange: 1 }]),
        { id: 'w', type: 'warning', content: 'x' },
        { id: 'z', type: 'poem', content: 'x' },
        'nothing',
      ),
    );
    expect(items.map(text)).toEqual(['plain', 'part', 'listbare<image><file>', '<image>', '{"strange":1}']);
    expect(report).toMatchObject({ images: 2, userInputBy: { typed: 4, image: 1 }, records: 9 });
    expect(report.notes).toEqual([{ index: 5, reason: 'unknown-block' }]);
    expect(reasons(report)).toEqual([
      [4, 'empty-user'],
      [6, 'ui-only'],
      [7, 'unknown-kind'],
      [8, 'malformed'],
    ]);
  });

  it('takes calls and results out of one record', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const { items, report } = await one(
      document(
        user('u', 'Go.'),
        gemini('m', 'Reading.', {
          thoughts: [thought, { subject: '', description: '' }],
          toolCalls: [
            call('a'),
            call('b', { status: 'error', result: [response('b', 'read', { error: 'no' })] }),
            call('c', { result: [response('c', 'read', { some: 1 }), picture] }),
            call('d', { result: [response('d', 'read', { some: 1 })] }),
            call('e', { result: 'plain' }),
            call('f', { status: 'awaiting_approval' }),
            call('g', { result: null }),
            call('h', { status: 'cancelled', result: [response('h', 'read', { error: 'cancelled' })] }),
            { name: 'nameless', args: null },
          ],
        }),
        user('r', [response('a', 'read', { output: 'again' })]),
        user('s', [response('f', 'read', { output: 'late' }), { text: 'and go on' }]),
      ),
    );
    expect(items.flatMap((found) => (found.kind === 'result' ? [[found.part.toolCallId, found.part.output, found.line]] : []))).toEqual([
      ['a', { type: 'text', value: 'of a' }, 1],
      ['b', { type: 'error-text', value: 'no' }, 1],
      [
        'c',
        {
          type: 'content',
          value: [
            { type: 'text', text: '{"some":1}' },
            { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
          ],
        },
        1,
      ],
      ['d', { type: 'json', value: { some: 1 } }, 1],
      ['e', { type: 'text', value: 'plain' }, 1],
      ['f', { type: 'text', value: 'late' }, 3],
      ['g', { type: 'error-text', value: 'No result was recorded for this call.' }, null],
      ['h', { type: 'error-text', value: 'cancelled' }, 1],
      ['call-1-8', { type: 'error-text', value: 'No result was recorded for this call.' }, null],
    ]);
    expect(report).toMatchObject({ toolCalls: 9, toolResults: 7, images: 1, thinking: 1 });
    expect(reasons(report)).toEqual([[2, 'superseded']]);
    expect(userTexts(items)).toEqual(['Go.', 'and go on']);
  });

  it('counts no call where nothing was spent', async () => {
    const { report } = await one(
      document(
        gemini('a', 'x', { tokens: spent }),
        gemini('b', 'y', { tokens: { input: 0, output: 0, cached: 0, thoughts: 0, total: 0 } }),
      ),
    );
    expect(report.usage).toEqual({ calls: 1, input: 6, cacheRead: 4, cacheWrite: 0, output: 5 });
  });

  it('reads the last version of an id at the place of the first', async () => {
    const { items, report } = await one(
      document(
        user('u', 'first'),
        gemini('m', '', { toolCalls: [call('a', { status: 'executing' })] }),
        user('v', 'between'),
        gemini('m', 'Both.', { toolCalls: [call('a'), call('b')], tokens: spent }),
        user('u', 'edited'),
        user('w', 'last'),
      ),
    );
    expect(items.map((found) => (found.kind === 'result' ? found.part.toolCallId : text(found)))).toEqual([
      'edited',
      'Both.<tool-call><tool-call>',
      'a',
      'b',
      'between',
      'last',
    ]);
    expect(items.map(({ line }) => line)).toEqual([4, 1, 3, 3, 2, 5]);
    expect(reasons(report)).toEqual([
      [0, 'superseded'],
      [1, 'superseded'],
    ]);
    expect(report).toMatchObject({ records: 6, read: 4, toolCalls: 2, usage: { calls: 1 } });
  });

  it('hides a summary and the short answer to it', async () => {
    const { items, report } = await one(
      document(user('a', 'x <state_snapshot>old</state_snapshot>'), gemini('b', 'Got it.'), user('c', 'New.'), gemini('d', 'Yes.')),
    );
    expect(items.map((found) => [found.kind, found.kind === 'hidden' ? found.body.kind : text(found)])).toEqual([
      ['hidden', 'compaction'],
      ['hidden', 'message'],
      ['hidden', 'message'],
      ['user', 'New.'],
      ['assistant', 'Yes.'],
    ]);
    expect(report).toMatchObject({ compactions: 1, handoff: 1, assistantHidden: 1, hidden: 2, read: 2 });
  });

  it('hides no more than that one answer', async () => {
    const { items } = await one(
      document(user('a', '<state_snapshot>old</state_snapshot>'), gemini('b', 'Got it.'), gemini('c', 'Going on.')),
    );
    expect(items.at(-1)).toMatchObject({ kind: 'assistant' });
  });

  it('does not hide a reply that works', async () => {
    const { report } = await one(
      document(user('a', '<state_snapshot>old</state_snapshot>'), gemini('b', 'On it.', { toolCalls: [call('a')] })),
    );
    expect(report).toMatchObject({ assistant: 1, toolCalls: 1, assistantHidden: 0 });
  });

  it('takes id and title, streamed or parsed whole', async () => {
    const file = scratch.write(geminiDocument());
    const whole = await readWhole(file);
    expect(whole.sessions[0]).toMatchObject({ id: 'g', title: 'Ladles' });
    expect(await readWhole(file, { documentLimitBytes: 0 })).toEqual(whole);
  });

  it('tells the push to go on', async () => {
    expect((await one(document(user('a', 'System: Please continue.')))).items).toMatchObject([{ origin: 'continuation' }]);
  });
});

describe('one record a line', () => {
  it('is read record by record', async () => {
    const { id, title, items, report } = await one(lines(...geminiRecords()));
    expect([id, title]).toEqual(['g', 'Ladles']);
    expect(items.map(({ kind, line }) => [kind, line])).toEqual([
      ['user', 2],
      ['assistant', 3],
      ['result', 4],
      ['result', 4],
      ['assistant', 6],
      ['user', 8],
      ['assistant', 11],
      ['result', null],
      ['hidden', 12],
      ['hidden', 12],
      ['hidden', 12],
      ['user', 13],
      ['assistant', 14],
    ]);
    expect(reasons(report)).toEqual([
      [3, 'superseded'],
      [5, 'ui-only'],
      [9, 'rewound'],
    ]);
    expect(report).toMatchObject({ records: 14, meta: 3, read: 7, hidden: 1, compactions: 1, handoff: 1, usage: { calls: 3 } });
  });

  it('a rewind takes messages away, one to an unknown id takes all', async () => {
    const talk = [head(), user('a', 'one'), gemini('b', 'two'), user('c', 'three'), gemini('d', 'four')];
    expect((await one(lines(...talk, { $rewindTo: 'c' }, user('e', 'five')))).items.map(text)).toEqual(['one', 'two', 'five']);
    const none = await one(lines(...talk, { $rewindTo: 'zz' }, user('a', 'again')));
    expect(none.items.map(text)).toEqual(['again']);
    expect(none.report).toMatchObject({ skippedRecords: 4, meta: 2, read: 1 });
    expect((await one(lines(...talk, { $rewindTo: 'c' }, { $rewindTo: 'a' }, gemini('b', 'new')))).items.map(text)).toEqual(['new']);
    expect((await one(lines(...talk, { $rewindTo: 'c' }, { $rewindTo: 'c' }))).items).toEqual([]);
  });

  it('a rewound message leaves no place for the next one of its id', async () => {
    const { items, report } = await one(
      lines(head(), user('a', 'one'), gemini('b', 'v1'), gemini('b', 'v2'), { $rewindTo: 'b' }, user('c', 'other'), gemini('b', 'new')),
    );
    expect(items.map(text)).toEqual(['one', 'other', 'new']);
    expect(reasons(report)).toEqual([
      [3, 'superseded'],
      [4, 'rewound'],
    ]);
  });

  it('a list in place of the running one adds what is new, and rewinds go by it', async () => {
    const talk = [head(), user('a', 'one'), gemini('b', 'two'), user('c', 'three')];
    const set = {
      $set: { messages: [user('n', 'new text'), gemini('m', 'new reply', { toolCalls: [call('x')] }), user('c', 'masked'), 7] },
    };
    const { items, report } = await one(lines(...talk, set, gemini('d', 'four')));
    expect(items.map((found) => (found.kind === 'result' ? found.part.toolCallId : text(found)))).toEqual([
      'one',
      'two',
      'three',
      'new text',
      'new reply<tool-call>',
      'x',
      'four',
    ]);
    expect(report).toMatchObject({ records: 6, read: 5, meta: 1 });
    expect(reasons(report)).toEqual([[5, 'malformed']]);
    const back = await one(lines(...talk, set, gemini('d', 'four'), { $rewindTo: 'm' }));
    expect(back.items.map(text)).toEqual(['one', 'two', 'new text']);
    const later = await one(lines(...talk, set, gemini('m', 'better reply'), user('n', 'better text')));
    expect(later.items.map(text)).toEqual(['one', 'two', 'three', 'better text', 'better reply']);
  });

  it('reads two sessions of one file apart, and a repeated header once', async () => {
    const { sessions } = await read(
      lines(head('a'), user('1', 'one'), head('a', { summary: 'T' }), user('2', 'two'), head('b'), user('1', 'three')),
    );
    expect(sessions.map(({ id, title, items }) => [id, title, userTexts(items)])).toEqual([
      ['a', 'T', ['one', 'two']],
      ['b', null, ['three']],
    ]);
  });

  it('reads around torn and glued lines', async () => {
    const torn = JSON.stringify(gemini('t', 'lost', { toolCalls: [call('x')] })).slice(0, -2);
    const { items, report } = await one(
      `${lines(head(), user('a', 'one'))}\n${torn}${JSON.stringify(gemini('b', 'two'))}\n${JSON.stringify(user('c', 'three'))}${JSON.stringify(gemini('d', 'four'))}\n{"id":"e","ty`,
    );
    expect(items.map(text)).toEqual(['one', 'two', 'three', 'four']);
    expect(reasons(report)).toEqual([
      [3, 'torn'],
      [5, 'torn'],
    ]);
  });

  it('survives any order of versions, rewinds and lists', async () => {
    const ids = ['a', 'b', 'c'];
    const message = fc
      .record({ id: fc.constantFrom(...ids), kind: fc.constantFrom(user, gemini), calls: fc.nat(2) })
      .map(({ id, kind, calls }) =>
        kind(id, `text of ${id}`, kind === gemini ? { toolCalls: Array.from({ length: calls }, (_, at) => call(`c${String(at)}`)) } : {}),
      );
    const record = fc.oneof(
      { weight: 4, arbitrary: message },
      fc.constantFrom(...ids, 'zz').map((id) => ({ $rewindTo: id })),
      fc.array(message, { maxLength: 4 }).map((messages) => ({ $set: { messages } })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 20 }), async (records) => {
        const { items, report } = await one(lines(head(), ...records));
        expect(report.records).toBe(records.length + 1);
        const last = records.at(-1);
        if (last !== undefined && 'type' in last)
          expect(
            items
              .filter(({ kind }) => kind !== 'result')
              .map(text)
              .join(),
          ).toContain(`text of ${String(last['id'])}`);
        if (records.some((one) => '$rewindTo' in one) && JSON.stringify(last) === '{"$rewindTo":"zz"}') expect(items).toEqual([]);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('can be forced for lines and for a document', async () => {
    expect((await one(lines(user('a', 'one')), { format: 'gemini-cli' })).items.map(text)).toEqual(['one']);
    expect((await one(document(user('a', 'one')), { format: 'gemini-cli' })).items.map(text)).toEqual(['one']);
    expect((await one(JSON.stringify(contents()), { format: 'gemini-cli' })).report.records).toBe(8);
  });

  it('lists what has no type', async () => {
    expect(reasons((await one(lines(head(), { odd: 1 }, { ...stamp, id: 'q', type: 'later' }, user('a', 'x')))).report)).toEqual([
      [2, 'unknown-kind'],
      [3, 'unknown-kind'],
    ]);
  });
});

describe('a checkpoint', () => {
  it.each([
    ['a list', contents()],
    ['in an object', { history: contents(), authType: 'x' }],
  ])('%s pairs by id, or by name and order', async (_name, value) => {
    const { items, report } = await one(JSON.stringify(value));
    expect(
      items.map((found) =>
        found.kind === 'result' ? [found.part.toolCallId, found.part.output] : found.kind === 'hidden' ? 'hidden' : text(found),
      ),
    ).toEqual([
      'This is the Gemini CLI. We are setting up the context for our chat.',
      'hidden',
      'Read both.<image>',
      '<reasoning><opaque>Reading.<tool-call><tool-call>',
      ['call-3-2', { type: 'text', value: 'A' }],
      ['call-3-3', { type: 'error-text', value: 'no b' }],
      '<tool-call>',
      [
        'x',
        {
          type: 'content',
          value: [
            { type: 'text', text: '{"shape":"round"}' },
            { type: 'image-data', data: 'BBBB', mediaType: 'image/png' },
          ],
        },
      ],
      'Done.',
    ]);
    expect(report).toMatchObject({ notice: 1, userInput: 1, assistant: 3, assistantHidden: 1, thinking: 1, thinkingSigned: 1, images: 2 });
    expect(items[3]).toMatchObject({
      message: {
        content: [
          {},
          { provider: 'google', bytes: '{"text":"Hm.","thought":true,"thoughtSignature":"c2ln"}' },
          {},
          { providerOptions: { google: { thoughtSignature: 'Y2FsbA==' } } },
          {},
        ],
      },
    });
  });

  it('answers no call of an earlier step by its name', async () => {
    const asked = { role: 'model', parts: [{ functionCall: { name: 'a' } }] };
    const { items } = await one(
      JSON.stringify([
        asked,
        { role: 'user', parts: [{ text: 'No.' }] },
        asked,
        { role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: 'x' } } }] },
      ]),
    );
    expect(items.flatMap((found) => (found.kind === 'result' ? [found.made] : []))).toEqual([true, false]);
  });

  it('keeps calls without response, responses without call, and a summary hidden', async () => {
    const { items, report } = await one(
      JSON.stringify([
        { role: 'user', parts: [{ text: '<state_snapshot>x</state_snapshot>' }] },
        { role: 'model', parts: [{ text: 'Got it.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'b', response: { output: '?' } } }, { text: 'Go on.' }] },
        { role: 'model', parts: [] },
        { role: 'user', parts: [] },
        { role: 'poet', parts: [] },
      ]),
    );
    expect(items.map(({ kind }) => kind)).toEqual(['hidden', 'hidden', 'hidden', 'assistant', 'result', 'user', 'hidden']);
    expect(report).toMatchObject({ compactions: 1, callsWithoutResult: 1, resultsWithoutCall: 1, assistantEmpty: 1 });
    expect(reasons(report)).toEqual([
      [3, 'result-without-call'],
      [5, 'empty-user'],
      [6, 'unknown-role'],
    ]);
  });
});
