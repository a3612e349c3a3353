/** Small made-up documents, one per format, with everything in them that the readers tell apart. */
const say = (text: string): object => ({ type: 'text', text });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'stir', input: { pot: id } });
const answer = (id: string, content: unknown): object => ({ type: 'tool_result', tool_use_id: id, content });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };

const anthropicMessages = (): object[] => [
  { role: 'user', content: [say('Soup \u2028 "now" \\ {['), image] },
  { role: 'assistant', content: [thinking, say('Yes.'), use('a'), use('b')] },
  { role: 'user', content: [answer('b', 'B'), answer('a', [say('A'), image]), say('And salt.')] },
  {
    role: 'assistant',
    content: [
      { type: 'compaction', content: 'They cooked.' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ title: 't', encrypted_content: 'eA' }] },
      use('a'),
    ],
  },
  { role: 'system', content: 'Mind the lid.' },
  { role: 'user', content: 'Again.' },
];
const responsesItems = (): object[] => [
  { role: 'developer', content: 'Cook.' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'Soup.' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
    ],
  },
  { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'ZW5j' },
  { type: 'function_call', call_id: 'a', name: 'stir', arguments: '{"pot":1}' },
  { type: 'function_call', call_id: 'b', name: 'stir', arguments: '{"pot":' },
  { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'B' }] },
  { type: 'function_call_output', call_id: 'a', output: 'A' },
  { type: 'compaction', encrypted_content: 'eA' },
  { type: 'web_search_call', id: 'w', action: { query: 'q' } },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  { role: 'user', content: 'Again.' },
  { type: 'function_call', call_id: 'a', name: 'stir', arguments: '' },
];
const modelMessages = (): object[] => [
  { role: 'system', content: 'Cook.' },
  { role: 'user', content: [say('Soup.'), { type: 'file', data: 'AA', mediaType: 'image/png' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'tool-call', toolCallId: 'a', toolName: 'stir', input: { pot: 1 } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'b', toolName: 'search', output: { type: 'json', value: [1] } },
      { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false, reason: 'hot' }] },
  { role: 'assistant', content: 'Done.' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'stir', input: {} }] },
];
const uiMessages = (): object[] => [
  { id: '1', role: 'user', parts: [say('Soup.'), { type: 'data-x', data: 1 }] },
  {
    id: '2',
    role: 'assistant',
    parts: [{ type: 'step-start' }, { type: 'tool-stir', toolCallId: 'a', state: 'input-available', input: {} }],
  },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'tool-stir', toolCallId: 'a', state: 'output-available', input: {}, output: 'A' },
      { type: 'dynamic-tool', toolName: 'taste', toolCallId: 'b', state: 'input-streaming', input: {} },
      { type: 'step-start' },
      say('Done.'),
    ],
  },
  { id: '3', role: 'user', content: 'older', experimental_attachments: [{ url: 'https://kitchen.example', contentType: 'image/png' }] },
  { id: '4', role: 'assistant', content: 'x', toolInvocations: [{ state: 'call', toolCallId: 'c', toolName: 'stir', args: {} }] },
];
const openCode = (): object => {
  const message = (id: number, role: string, parts: object[], extra: object = {}): object => ({
    info: { id: `msg_${String(id)}`, sessionID: 'ses_1', role, time: { created: id, completed: id }, ...extra },
    parts: parts.map((part, at) => ({ id: `prt_${String(id)}${String(at)}`, ...part })),
  });
  return {
    info: { id: 'ses_1', title: 'Soup', revert: { messageID: 'msg_8' } },
    messages: [
      message(1, 'user', [say('Soup.'), { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA' }]),
      message(2, 'assistant', [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool', callID: 'a', tool: 'stir', state: { status: 'completed', input: {}, output: 'A', time: { compacted: 1 } } },
        { type: 'step-finish', tokens: { input: 1, output: 2 } },
        { type: 'step-start' },
        { type: 'tool', callID: 'a', tool: 'stir', state: { status: 'running', input: {} } },
        { type: 'patch', hash: 'h' },
      ]),
      message(3, 'user', [{ type: 'compaction', auto: true }]),
      message(4, 'assistant', [say('They cooked.')], { summary: true }),
      message(5, 'user', [{ ...say('Continue.'), synthetic: true }]),
      message(6, 'assistant', [say('half')], { error: { name: 'APIError' } }),
      message(7, 'assistant', [say('Done.')]),
      message(8, 'user', [say('undone')]),
    ],
  };
};
const hermes = (): object => ({
  id: 's',
  source: 'cli',
  started_at: 1,
  system_prompt: 'Cook.',
  lineage_session_ids: ['r', 's'],
  messages: [
    { id: 1, role: 'system', content: 'Cook.' },
    { id: 2, role: 'user', content: '\u0001json:[{"type":"text","text":"Soup."}]' },
    { id: 3, role: 'assistant', content: null, reasoning: 'Hm.', tool_calls: '[{"id":"a","function":{"name":"stir","arguments":"{}"}}]' },
    { id: 4, role: 'tool', content: 'A', tool_call_id: 'a' },
    { id: 5, role: 'user', content: 'They cooked.', _compressed_summary: 1 },
    { id: 6, role: 'tool', content: 'A', tool_call_id: 'a' },
    { id: 7, role: 'user', content: 'undone', active: 0, compacted: 0 },
    { id: 8, role: 'assistant', content: 'Done.', codex_reasoning_items: '[{"type":"reasoning","encrypted_content":"eA"}]' },
  ],
});
const gooseMessages = (): object[] => {
  const message = (role: string, content: object[], metadata: object = {}): object => ({ role, created: 1, content, metadata });
  const blind = { userVisible: true, agentVisible: false };
  const agentOnly = { userVisible: false, agentVisible: true };
  return [
    message('user', [say('Soup.')], blind),
    message(
      'assistant',
      [thinking, { type: 'toolRequest', id: 'a', toolCall: { status: 'success', value: { name: 'stir', arguments: {} } } }],
      blind,
    ),
    message('user', [{ type: 'toolResponse', id: 'a', toolResult: { status: 'success', value: { content: [say('A')] } } }], blind),
    message('user', [say('They cooked.')], agentOnly),
    message('assistant', [say('On it.')], agentOnly),
    message('assistant', [say('Done.'), { type: 'toolRequest', id: 'a', toolCall: { status: 'error', error: 'bad' } }]),
    message('user', [say('Thanks.'), { type: 'image', data: 'AA', mimeType: 'image/png' }]),
  ];
};
const clineMessages = (): object[] => [
  { role: 'user', content: [say('<task>\nSoup.\n</task>'), say('<environment_details>\n</environment_details>')] },
  { role: 'assistant', content: [say('<stir></stir>')], metrics: { tokens: { prompt: 1 } } },
  { role: 'user', content: [say("[stir for 'x'] Result:"), say('ok')] },
  { role: 'assistant', content: [thinking, use('a'), { ...use('b'), input: '{"po' }] },
  { role: 'user', content: [answer('a', '[[NOTE] This file read has been removed to save space]')] },
  { role: 'assistant', content: [say('They cooked.')], isSummary: true },
];
const goose = (): object => ({ id: 'g', working_dir: '/kitchen', conversation: gooseMessages() });

export const gooseLines = (): string[] =>
  [{ working_dir: '/kitchen', description: 'Soup' }, ...gooseMessages()].map((one) => JSON.stringify(one));

/** By name: the format, the document, and where its list stands (null: it is the list). */
export const documents = (): readonly (readonly [string, string, unknown, string | null])[] => [
  ['an Anthropic body', 'anthropic', { model: 'm', max_tokens: 1, system: 'Cook.', messages: anthropicMessages() }, 'messages'],
  ['Anthropic messages', 'anthropic', anthropicMessages(), null],
  ['a Responses body', 'responses', { model: 'm', instructions: 'i', input: responsesItems() }, 'input'],
  ['model messages', 'ai-sdk', modelMessages(), null],
  ['UI messages', 'ai-sdk', uiMessages(), null],
  ['an OpenCode export', 'opencode', openCode(), 'messages'],
  ['a Hermes export', 'hermes', hermes(), 'messages'],
  ['a Goose export', 'goose', goose(), 'conversation'],
  ['a Cline history', 'cline', clineMessages(), null],
  ['a Cline session', 'cline', { version: 1, sessionId: 's', origin: 'cli', messages: clineMessages() }, 'messages'],
];
