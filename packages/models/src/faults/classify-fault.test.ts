import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APICallError } from '@ai-sdk/provider';
import { errors, type ModelFault } from '@palimpsest/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyFault } from './classify-fault.ts';

interface Refusal {
  readonly provider: string;
  readonly status: number | null;
  readonly body?: string;
  readonly message?: string;
  readonly class: 'overflow' | 'not_overflow';
  readonly limit?: number;
  readonly requested?: number;
  readonly misleading_limit?: boolean;
}
const file = fileURLToPath(new URL('../../../../../shared/corpora/provider-errors/errors.json', import.meta.url));
const present = existsSync(file);
if (!present) console.warn(`classify-fault: ${file} is absent, real refusals are not tested`);
const refusals = present ? (JSON.parse(readFileSync(file, 'utf8')) as Refusal[]) : [];

function apiError(status: number, body: string, message = ''): APICallError {
  return new APICallError({
    message,
    url: 'http://localhost/chat',
    requestBodyValues: { messages: ['prompt is too long: 9000 tokens > 8000 maximum'] },
    statusCode: status,
    responseBody: body,
  });
}
/** As a provider package throws it, and as it stands in a stream. */
function thrown({ status, body, message }: Refusal): unknown {
  return status === null
    ? new Error(body ?? message)
    : body === undefined
      ? apiError(status, message ?? '', message)
      : apiError(status, body);
}

describe.skipIf(!present)('real refusals', () => {
  const answers = refusals.map((refusal) => ({
    refusal,
    fault: classifyFault(thrown(refusal)),
    framed: classifyFault(refusal.body ?? refusal.message),
  }));

  it('are told apart into overflow and not, every one', () => {
    expect(answers.length).toBeGreaterThan(100);
    expect(
      answers
        .filter(({ refusal, fault }) => (fault.kind === 'overflow') !== (refusal.class === 'overflow'))
        .map(({ refusal, fault }) => [fault.kind, refusal]),
    ).toEqual([]);
  });

  it('are told apart by their text alone as well, as it comes in a stream', () => {
    const wrong = answers.filter(({ refusal, framed }) => (framed.kind === 'overflow') !== (refusal.class === 'overflow'));
    expect(wrong.map(({ refusal }) => refusal)).toEqual([]);
  });

  it('state their limit and what was asked for, wherever the record has it in tokens', () => {
    const inTokens = answers.filter(({ fault }) => ['overflow', 'output_cap', 'rate_limit'].includes(fault.kind));
    const figures = inTokens.map(({ refusal, fault }) => ({
      refusal,
      want: [refusal.misleading_limit === true ? undefined : refusal.limit, refusal.requested],
      got: [fault.limit, fault.requested],
    }));
    expect(figures.filter(({ want, got }) => want[0] !== got[0] || want[1] !== got[1])).toEqual([]);
  });

  it('give no figure that is in bytes, characters or pictures', () => {
    expect(
      answers.filter(({ fault }) => fault.kind === 'payload_size' && (fault.limit !== undefined || fault.requested !== undefined)),
    ).toEqual([]);
  });

  it('that are no overflow are all of a known kind', () => {
    expect(answers.filter(({ fault }) => fault.kind === 'unknown')).toEqual([]);
  });
});

const cases: readonly [kind: ModelFault['kind'], error: unknown, figures?: { limit?: number; requested?: number }][] = [
  [
    'overflow',
    apiError(
      400,
      '{"error":{"code":400,"message":"request (34965 tokens) exceeds the available context size (32768 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":34965,"n_ctx":32768}}',
    ),
    { limit: 32768, requested: 34965 },
  ],
  [
    'overflow',
    apiError(400, '{"message":"Prompt contains 65673 tokens, too large for model with 32768 maximum context length"}'),
    { limit: 32768, requested: 65673 },
  ],
  [
    'overflow',
    apiError(
      400,
      '{"error":{"message":"max_tokens is too large: 20000. This model\'s maximum context length is 16384 tokens and your request has 9000 input tokens."}}',
    ),
    { limit: 16384, requested: 9000 },
  ],
  [
    'overflow',
    apiError(400, '{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292"}'),
    { limit: 4081, requested: 4292 },
  ],
  [
    'overflow',
    apiError(422, '{"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1200"}'),
    { limit: 1024, requested: 1200 },
  ],
  ['overflow', apiError(400, '{"error":{"code":"1261","message":"Prompt exceeds max length"}}')],
  [
    'overflow',
    apiError(
      400,
      '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\\"error\\":{\\"message\\":\\"prompt is too long: 210000 tokens > 200000 maximum\\"}}"}}}',
    ),
    { limit: 200000, requested: 210000 },
  ],
  [
    'overflow',
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210,000 tokens > 200,000 maximum' } },
    { limit: 200000, requested: 210000 },
  ],
  [
    'overflow',
    { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded', statusCode: 400, data: {} },
  ],
  [
    'output_cap',
    apiError(
      400,
      '{"error":{"message":"`max_tokens` must be less than or equal to `32768`, the maximum value for `max_tokens` is less than the `context_window` for this model"}}',
    ),
    { limit: 32768 },
  ],
  ['output_cap', apiError(400, '{"error":{"message":"Range of max_tokens should be [1, 8192]"}}'), { limit: 8192 }],
  [
    'output_cap',
    apiError(400, '{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"}}'),
    { limit: 8192 },
  ],
  [
    'quota',
    apiError(
      429,
      '{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}',
    ),
  ],
  [
    'quota',
    apiError(
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}',
    ),
  ],
  [
    'quota',
    apiError(
      429,
      '{"type":"error","error":{"type":"rate_limit_error","message":"Limit reached","details":{"error_code":"enforced_spend_limit_reached"}}}',
    ),
  ],
  ['rate_limit', apiError(429, '{"error":{"message":"Slow down."}}')],
  ['payload_size', apiError(413, '<html>Request Entity Too Large</html>')],
  ['overloaded', apiError(529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')],
  ['overloaded', { type: 'overloaded_error', message: 'Overloaded' }],
  ['overloaded', apiError(502, '<html>Bad Gateway</html>', 'Bad Gateway')],
  ['auth', apiError(401, '{"error":{"message":"Incorrect API key provided"}}')],
  [
    'invalid',
    apiError(
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: `tool_use` ids must be unique"}}',
    ),
  ],
  ['invalid', apiError(400, '{"error":{"message":"`max_tokens` must be greater than `thinking.budget_tokens`."}}')],
  [
    'invalid',
    apiError(
      400,
      '{"error":{"code":"tool_use_failed","message":"Failed to call a function.","failed_generation":"prompt is too long: 9000 tokens > 8000 maximum"}}',
    ),
  ],
  ['invalid', errors.modelRequestInvalid('openai-chat:a/b', new Error('no'))],
  ['network', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
  ['network', new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })],
  ['unknown', new Error('something else')],
  ['unknown', undefined],
];

it.each(cases)('%s: %j', (kind, error, figures = {}) => {
  const fault = classifyFault(error);
  expect({ kind: fault.kind, limit: fault.limit, requested: fault.requested }).toEqual({
    kind,
    limit: figures.limit,
    requested: figures.requested,
  });
  expect(fault.message).not.toBe('');
});

it('never reads what was asked as what was answered', () => {
  expect(classifyFault(apiError(400, '{"error":{"message":"Bad role."}}')).kind).toBe('invalid');
});

it('takes anything, also what refers to itself', () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(classifyFault(loop).kind).toBe('unknown');
  fc.assert(
    fc.property(fc.anything(), (value) => typeof classifyFault(value).kind === 'string'),
    { seed: 3, numRuns: 200 },
  );
});

it('shows the sentence, not the status line before it', () => {
  expect(classifyFault(apiError(400, '{"error":"the model is not loaded yet"}', 'Bad Request')).message).toBe(
    'the model is not loaded yet',
  );
});
