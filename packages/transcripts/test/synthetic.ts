/** Small made-up sessions with everything in them that moves: splits, parallel calls, queues, compactions, repeats. */
const time = (minute: number): string => `2026-03-02T09:${String(minute).padStart(2, '0')}:00.000Z`;
type Extra = Readonly<Record<string, unknown>>;

const piUsage = { input: 12, output: 4, cacheRead: 5, cacheWrite: 6, totalTokens: 27 };
const piAssistant = (content: unknown[], extra: Extra = {}): Extra => ({
  role: 'assistant',
  content,
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'm',
  usage: piUsage,
  stopReason: 'stop',
  ...extra,
});
const piText = (text: string): unknown => ({ type: 'text', text });
const piCall = (id: string, name: string, args: Extra): unknown => ({ type: 'toolCall', id, name, arguments: args });
const piResult = (id: string, text: string, isError = false): Extra => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'read',
  content: [piText(text)],
  isError,
});

export const piLines = (): string[] => {
  const bodies: [string, Extra][] = [
    ['message', { message: { role: 'user', content: [piText('Where is the ladle?')] } }],
    [
      'message',
      {
        message: piAssistant([
          { type: 'thinking', thinking: 'Look.', thinkingSignature: 'c2ln' },
          piCall('a', 'read', { path: 'x' }),
          piCall('b', 'read', { path: 'y', deep: 1 }),
        ]),
      },
    ],
    ['message', { message: piResult('b', 'no {"type":"message"} here') }],
    ['message', { message: piResult('a', 'one ladle\u2028two', true) }],
    ['thinking_level_change', { thinkingLevel: 'high' }],
    ['message', { message: piAssistant([piText('There.')]) }],
    ['compaction', { summary: 'The ladle hangs.', tokensBefore: 90, firstKeptEntryId: '00000002' }],
    ['message', { message: { role: 'bashExecution', command: 'ls', output: 'spoon', exitCode: 0 } }],
    ['message', { message: { role: 'user', content: 'Take it \u00e9\u{1f944}.' } }],
    ['message', { message: piAssistant([piCall('a', 'take', {})], { stopReason: 'aborted' }) }],
    ['message', { message: piAssistant([], { stopReason: 'error', errorMessage: 'no' }) }],
    ['custom_message', { customType: 'timer', content: 'Ring.', display: true }],
    ['message', { message: piAssistant([piCall('a', 'take', { what: 'ladle' })], { stopReason: 'toolUse' }) }],
    ['message', { message: piResult('a', 'taken') }],
    ['message', { message: piAssistant([piText('Done.')]) }],
  ];
  const header = { type: 'session', version: 3, id: 'pi-session', timestamp: time(0), cwd: '/home/dev/kitchen' };
  return [
    header,
    ...bodies.map(([type, body], at) => ({
      type,
      id: String(at + 1).padStart(8, '0'),
      parentId: at === 0 ? null : String(at).padStart(8, '0'),
      timestamp: time(at + 1),
      ...body,
    })),
  ].map((one) => JSON.stringify(one));
};

export const claudeLines = (): string[] => {
  let count = 0;
  const base = (type: string, body: Extra): Extra => {
    const at = ++count;
    return {
      parentUuid: at === 1 ? null : `u${String(at - 1)}`,
      isSidechain: false,
      sessionId: 's1',
      version: '2.1.39',
      uuid: `u${String(at)}`,
      timestamp: time(at),
      type,
      ...body,
    };
  };
  const user = (content: unknown, extra: Extra = {}): Extra => base('user', { message: { role: 'user', content }, ...extra });
  const part = (id: string, block: unknown, output: number): Extra =>
    base('assistant', {
      message: {
        id,
        role: 'assistant',
        model: 'm',
        content: [block],
        usage: { input_tokens: 1, output_tokens: output, cache_read_input_tokens: 2, cache_creation_input_tokens: 3 },
      },
    });
  const use = (id: string, input: Extra): unknown => ({ type: 'tool_use', id, name: 'Bash', input });
  const result = (id: string, content: unknown): unknown => ({ type: 'tool_result', tool_use_id: id, content });
  const queue = (operation: string, content?: string): Extra => ({
    type: 'queue-operation',
    operation,
    timestamp: time(0),
    sessionId: 's1',
    ...(content === undefined ? {} : { content }),
  });
  return [
    user('Tidy the shelf.'),
    part('m1', { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, 1),
    part('m1', use('t1', { command: 'ls' }), 2),
    user([result('t1', [{ type: 'text', text: 'jar' }])]),
    base('progress', {
      data: {
        type: 'agent_progress',
        message: { type: 'assistant', uuid: 'inner', timestamp: time(1), message: { id: 'mi', role: 'assistant', content: [] } },
      },
    }),
    queue('enqueue', 'and the \u2029 drawer'),
    part('m1', use('t2', { command: 'pwd', timeout: 3 }), 9),
    queue('remove'),
    user([result('t2', ''), { type: 'text', text: 'leave the jar' }]),
    part('m2', { type: 'text', text: 'Tidied.' }, 4),
    part('m3', use('t3', { command: 'sleep' }), 4),
    base('system', { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 100 } }),
    user('Summary of it.', { isCompactSummary: true }),
    queue('enqueue', 'thanks'),
    queue('dequeue'),
    user('thanks'),
    part('m4', { type: 'text', text: 'Welcome.' }, 4),
  ].map((one) => JSON.stringify(one));
};

export const chatMessages = (): unknown[] => [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Two timers "now" \\ {[' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'Hm.',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'set', arguments: '{"min":3}' } },
      { id: 'c2', type: 'function', function: { name: 'set', arguments: '{"min":' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c2', content: 'no' },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'yes \u00e9\u{1f944}' }] },
  { role: 'assistant', content: 'Set.' },
  { role: 'user', content: 'Again.' },
  { role: 'assistant', content: '', function_call: { name: 'ring', arguments: '' } },
  { role: 'function', name: 'ring', content: 'rang' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'set', arguments: '{}' } }] },
];
export const chatDocument = (): string => JSON.stringify({ model: 'm', messages: chatMessages(), temperature: 0 }, null, 1);
