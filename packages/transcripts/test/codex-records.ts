/** For tests: Codex records by hand, and a small rollout with everything in it that moves. */
import { stamp } from './building.ts';

type Extra = Readonly<Record<string, unknown>>;
export const wrapped = (type: string, payload: unknown): unknown => ({ ...stamp, type, payload });
export const item = (payload: unknown): unknown => wrapped('response_item', payload);
export const event = (type: string, body: Extra = {}): unknown => wrapped('event_msg', { type, ...body });
export const meta = (id: string, more: Extra = {}): unknown =>
  wrapped('session_meta', { id, timestamp: stamp.timestamp, cwd: '/w', cli_version: '1', ...more });
export const turnContext = (): unknown => wrapped('turn_context', { cwd: '/w', model: 'm' });
export const says = (role: string, text: string, more: Extra = {}): Extra => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  ...more,
});
export const asks = (text: string): unknown => item(says('user', text));
export const replies = (text: string, more: Extra = {}): unknown => item(says('assistant', text, more));
export const thinks = (text: string, more: Extra = {}): Extra => ({
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
  ...more,
});
export const calls = (id: string, args = '{"command":["ls"]}'): unknown =>
  item({ type: 'function_call', call_id: id, name: 'shell', arguments: args });
export const answers = (id: string, output: unknown): unknown => item({ type: 'function_call_output', call_id: id, output });
export const typed = (text: string): unknown => event('user_message', { message: text, images: [] });
export const tokens = (total: number, input = 10, cached = 4, output = 3): unknown =>
  event('token_count', {
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        reasoning_output_tokens: 1,
        total_tokens: input + output,
      },
    },
    rate_limits: null,
  });

/** One turn with parallel calls, one that was aborted, one that was compacted. */
export const codexRecords = (): unknown[] => [
  meta('thread', { base_instructions: { text: 'Be a cook.' } }),
  item(says('developer', '<permissions instructions>ask</permissions instructions>')),
  asks('<environment_context>\n<cwd>/w</cwd>\n</environment_context>'),
  event('task_started'),
  turnContext(),
  asks('List the pots \u2028 please.'),
  typed('List the pots \u2028 please.'),
  event('agent_reasoning', { text: '**Looking**' }),
  item(thinks('**Looking**', { encrypted_content: 'ZW5j' })),
  calls('c1'),
  calls('c2', '{"command":'),
  tokens(13),
  answers('c2', 'no {"type":"message"} here'),
  answers('c1', [{ type: 'input_text', text: 'pot' }]),
  event('exec_command_end', { call_id: 'c1' }),
  replies('Two \u00e9\u{1f944} pots.', { phase: 'final_answer' }),
  event('agent_message', { message: 'Two \u00e9\u{1f944} pots.' }),
  tokens(26),
  tokens(26),
  event('task_complete', { last_agent_message: 'Two pots.' }),
  event('task_started'),
  turnContext(),
  asks('Wash them.'),
  typed('Wash them.'),
  calls('c1', '{"wash":true}'),
  event('turn_aborted', { reason: 'interrupted' }),
  asks('<turn_aborted>\nstopped\n</turn_aborted>'),
  wrapped('compacted', { message: 'Pots were listed.', replacement_history: [says('user', 'List the pots')] }),
  event('context_compacted'),
  turnContext(),
  asks('Go on.'),
  typed('Go on.'),
  replies('Done.'),
  tokens(40),
];
export const codexLines = (): string[] => codexRecords().map((one) => JSON.stringify(one));
