/** For tests: Gemini CLI records by hand, and a small session with everything in it that moves. */
import { stamp } from './building.ts';

type Extra = Readonly<Record<string, unknown>>;
export const head = (sessionId = 'g', more: Extra = {}): unknown => ({
  sessionId,
  projectHash: 'h',
  startTime: stamp.timestamp,
  lastUpdated: stamp.timestamp,
  ...more,
});
export const user = (id: string, content: unknown, more: Extra = {}): Extra => ({ id, ...stamp, type: 'user', content, ...more });
export const gemini = (id: string, content: unknown, more: Extra = {}): Extra => ({
  id,
  ...stamp,
  type: 'gemini',
  content,
  model: 'm',
  ...more,
});
export const response = (id: string, name: string, body: Extra): Extra => ({ functionResponse: { id, name, response: body } });
export const call = (id: string, more: Extra = {}): Extra => ({
  id,
  name: 'read',
  args: { path: 'x' },
  status: 'success',
  result: [response(id, 'read', { output: `of ${id}` })],
  ...more,
});
export const spent = { input: 10, output: 2, cached: 4, thoughts: 3, tool: 0, total: 15 };
export const thought = { subject: 'Hm', description: 'Look.', ...stamp };

export const geminiRecords = (): unknown[] => [
  head(),
  user('u1', 'Where is the \u2028 ladle?'),
  gemini('m1', '', { thoughts: [thought], toolCalls: [call('c1', { status: 'executing', result: undefined })], tokens: spent }),
  gemini('m1', '', {
    thoughts: [thought],
    toolCalls: [call('c1'), call('c2', { status: 'error', result: [response('c2', 'read', { error: 'no' })] })],
    tokens: spent,
  }),
  { id: 'i1', ...stamp, type: 'info', content: 'Saved.' },
  gemini('m2', 'There \u00e9\u{1f944}.', { tokens: { ...spent, input: 20 } }),
  { $set: { lastUpdated: stamp.timestamp, summary: 'Ladles' } },
  user('u2', [{ text: 'And the jar {"id":"x","type":"user"}?' }]),
  gemini('m3', 'Wrong.'),
  { $rewindTo: 'm3' },
  gemini('m4', 'On the shelf.', { toolCalls: [call('c1', { status: 'cancelled', result: null })] }),
  {
    $set: {
      messages: [
        user('s1', '<state_snapshot>ladle found</state_snapshot>'),
        gemini('s2', 'Got it.'),
        user('u2', 'And the jar?'),
        gemini('m4', 'On the shelf.'),
      ],
    },
  },
  user('u3', 'Thanks.'),
  gemini('m5', 'Welcome.', { tokens: spent }),
];
export const geminiLines = (): string[] => geminiRecords().map((one) => JSON.stringify(one));
export const geminiDocument = (): string =>
  JSON.stringify(
    {
      sessionId: 'g',
      projectHash: 'h',
      messages: geminiRecords().filter((one) => Object.hasOwn(one as object, 'type')),
      summary: 'Ladles',
    },
    null,
    2,
  );

export const contents = (): unknown[] => [
  { role: 'user', parts: [{ text: 'This is the Gemini CLI. We are setting up the context for our chat.' }] },
  { role: 'model', parts: [{ text: 'Got it. Thanks for the context!' }] },
  { role: 'user', parts: [{ text: 'Read both.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
  {
    role: 'model',
    parts: [
      { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
      { text: 'Reading.' },
      { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { name: 'read', args: { path: 'b' } } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'read', response: { output: 'A' } } },
      { functionResponse: { name: 'read', response: { error: 'no b' } } },
    ],
  },
  { role: 'model', parts: [{ functionCall: { id: 'x', name: 'look', args: {} } }] },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'x', name: 'look', response: { shape: 'round' } } },
      { inlineData: { mimeType: 'image/png', data: 'BBBB' } },
    ],
  },
  { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'dGV4dA==' }] },
];
