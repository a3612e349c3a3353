import fc from 'fast-check';
import type { Body, Json, Segment } from '@palimpsest/contracts';
import { entryIdOf } from './drafts.ts';

/** Any text, lone surrogates and control characters included. */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength }),
    fc.string({ maxLength, unit: 'grapheme' }),
    fc.string({ maxLength, unit: 'binary' }),
    fc.constantFrom('', '漢字かな', 'src/a.ts foo_bar', '\ud800', 'a\u0000b'),
  );
}

/** JSON as it survives a round trip: no negative zero. */
export function anyJson(): fc.Arbitrary<Json> {
  return fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
}

function messages(): fc.Arbitrary<Body> {
  const text = anyText().map((words) => ({ type: 'text' as const, text: words }));
  const call = fc.record({
    type: fc.constant('tool-call' as const),
    toolCallId: fc.string({ minLength: 1, maxLength: 8 }),
    toolName: fc.constantFrom('read', 'bash'),
    input: anyJson(),
  });
  const output = fc.oneof(
    fc.record({ type: fc.constantFrom('text' as const, 'error-text' as const), value: anyText() }),
    fc.record({ type: fc.constantFrom('json' as const, 'error-json' as const), value: anyJson() }),
  );
  const result = fc.record({
    type: fc.constant('tool-result' as const),
    toolCallId: fc.string({ minLength: 1, maxLength: 8 }),
    toolName: fc.constantFrom('read', 'bash'),
    output,
  });
  const reasoning = fc.oneof(
    fc.record({ type: fc.constant('reasoning' as const), text: anyText() }),
    fc.record({ type: fc.constant('opaque' as const), provider: fc.constant('p'), format: fc.constant('f'), bytes: anyText() }),
  );
  return fc.oneof(
    fc
      .array(text, { maxLength: 3 })
      .map((content): Body => ({ kind: 'message', origin: 'user_input', message: { role: 'user', content } })),
    fc
      .array(fc.oneof(text, call, reasoning), { maxLength: 4 })
      .map((content): Body => ({ kind: 'message', origin: 'model', message: { role: 'assistant', content } })),
    fc.array(result, { maxLength: 3 }).map((content): Body => ({ kind: 'message', origin: 'tool', message: { role: 'tool', content } })),
  );
}

function others(): fc.Arbitrary<Body> {
  const id = fc.constantFrom('x1', 'x2').map(entryIdOf);
  const segments: fc.Arbitrary<Segment> = fc.oneof(
    fc.record({ through: id, show: fc.constant('entries' as const) }),
    fc.record({ through: id, show: fc.constant('nothing' as const), reason: fc.constant('old'), reach: fc.constant(null) }),
    fc.record({
      through: id,
      show: fc.constant('summary' as const),
      text: anyText().map((inline) => ({ inline })),
      tokens: fc.nat(9),
      quality: fc.constant('stub' as const),
      trust: fc.constant('user' as const),
    }),
  );
  return fc.oneof(
    fc.record({
      kind: fc.constant('custom' as const),
      by: fc.constant('test'),
      key: anyText(8),
      data: anyJson(),
      shown: fc.option(anyText()),
    }),
    fc.record({ kind: fc.constant('label' as const), target: id, label: fc.option(anyText(8)) }),
    fc.record({ kind: fc.constant('undo' as const), lifts: id }),
    fc.record({
      kind: fc.constant('compaction' as const),
      by: fc.constant('test'),
      trigger: fc.constantFrom('manual' as const, 'overflow' as const),
      segments: fc.array(segments, { maxLength: 3 }),
      tokensBefore: fc.nat(99),
      tokensAfter: fc.nat(9),
    }),
    fc.record({ kind: fc.constant('branch-summary' as const), left: id, summary: anyText() }),
  );
}

/** Bodies of most kinds; messages most often. Not conversations: pairs need not match. */
export function anyBody(): fc.Arbitrary<Body> {
  return fc.oneof({ arbitrary: messages(), weight: 3 }, { arbitrary: others(), weight: 1 });
}
