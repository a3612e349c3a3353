/** Conversations to grow a session with. */
import fc from 'fast-check';
import type { AssistantPart, Json, Message, Origin } from '@palimpsest/contracts';

export type Step =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'reply'; readonly text: string; readonly thinking?: string }
  | { readonly kind: 'tools'; readonly calls: readonly CallStep[] }
  /** Of these calls the first alone is answered. */
  | { readonly kind: 'open'; readonly calls: readonly CallStep[] }
  | { readonly kind: 'image' }
  | { readonly kind: 'label' };
export interface CallStep {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly output: string;
}

export interface Written {
  readonly message: Message;
  readonly origin: Origin;
}

/** The messages of a step; null: an entry that is never shown. */
export function messagesOf(step: Step): readonly Written[] | null {
  switch (step.kind) {
    case 'user':
      return [{ origin: 'user_input', message: { role: 'user', content: [{ type: 'text', text: step.text }] } }];
    case 'image':
      return [
        {
          origin: 'user_input',
          message: {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image', image: PIXEL, mediaType: 'image/png' },
            ],
          },
        },
      ];
    case 'reply':
      return [{ origin: 'model', message: { role: 'assistant', content: replyParts(step) } }];
    case 'tools':
      return toolMessages(step.calls);
    case 'open':
      return toolMessages(step.calls).slice(0, 2);
    case 'label':
      return null;
  }
}

function replyParts({ text, thinking }: { readonly text: string; readonly thinking?: string }): AssistantPart[] {
  return [...(thinking === undefined ? [] : [{ type: 'reasoning' as const, text: thinking }]), { type: 'text', text }];
}

function toolMessages(calls: readonly CallStep[]): readonly Written[] {
  const content = calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input }));
  const results = calls.map(({ id, name, output }): Written => ({
    origin: 'tool',
    message: { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: output } }] },
  }));
  return [{ origin: 'model', message: { role: 'assistant', content } }, ...results];
}

export function lineOf(step: Step): string {
  if (step.kind === 'tools' || step.kind === 'open')
    return `${step.kind} ${step.calls.map(({ id, name, output }) => `${name}#${id} → ${brief(output)}`).join(', ')}`;
  return 'text' in step ? `${step.kind} ${brief(step.text)}` : step.kind;
}

function brief(text: string): string {
  return text.length <= 60 ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, 40))} … (${String(text.length)} characters)`;
}

/** Ten words of filler for each unit of size. */
export function filler(size: number, seed: number): string {
  return Array.from({ length: size * 10 }, (_, at) => WORDS[(seed * 31 + at * 17) % WORDS.length] ?? '').join(' ');
}

/** So many turns of one question, one tool call, one answer; about 25 tokens times `size` each. */
export function plainTurns(turns: number, size = 10): readonly Step[] {
  return Array.from({ length: turns }, (_, turn): Step[] => [
    { kind: 'user', text: `Question ${String(turn)}: what does src/part${String(turn)}.ts do?` },
    {
      kind: 'tools',
      calls: [{ id: `call${String(turn)}`, name: 'read', input: { path: `src/part${String(turn)}.ts` }, output: filler(size, turn) }],
    },
    { kind: 'reply', text: `Part ${String(turn)} ${filler(Math.ceil(size / 2), turn)}` },
  ]).flat();
}

const text = fc.tuple(fc.nat(12), fc.nat(1000)).map(([size, seed]) => filler(size, seed));
const call = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom('read', 'bash'),
  input: fc.constantFrom<Json>({}, { path: 'src/a.ts' }),
  output: text,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: text.map((said): Step => ({ kind: 'user', text: said })) },
  { weight: 3, arbitrary: text.map((said): Step => ({ kind: 'reply', text: said })) },
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(call, { minLength: 1, maxLength: 3, selector: ({ id }) => id })
      .map((calls): Step => ({ kind: 'tools', calls })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'image' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'label' }) },
  { weight: 1, arbitrary: text.map((said): Step => ({ kind: 'reply', text: '', thinking: said })) },
);
/** Any conversation that begins with a person: call ids repeat, texts are empty, calls run side by side. */
export const anyConversation: fc.Arbitrary<readonly Step[]> = fc
  .array(step, { minLength: 1, maxLength: 40 })
  .map((steps) => [{ kind: 'user', text: 'Begin.' }, ...steps]);

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
const WORDS = [
  'budget',
  'engine',
  'segment',
  'log',
  'entry',
  'view',
  'plan',
  'branch',
  'leaf',
  'turn',
  'step',
  'tool',
  'result',
  'marks',
  'window',
  'session',
  'summary',
  'path',
] as const;
