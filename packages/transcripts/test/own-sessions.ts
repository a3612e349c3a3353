/** For tests: sessions of our own, made by hand or by chance, and what stands in a store of them. */
import fc from 'fast-check';
import type { Artifact, ArtifactId, Body, Entry, EntryId, Message, SessionId, SessionRecord } from '@palimpsest/contracts';
import { anyBody, artifactOf } from '@palimpsest/testing';
import { artifactLine, entryLine, headerLine } from '../src/export/own-lines.ts';

export interface Kept {
  readonly record: SessionRecord;
  readonly entries: readonly Entry[];
  readonly artifacts: ReadonlyMap<ArtifactId, Artifact>;
}
export const sessionId = 's-1' as SessionId;
const id = (at: number): EntryId => `e${String(at)}` as EntryId;

/** Each body with its parent's place, or -1. */
export function kept(
  bodies: readonly (readonly [Body, number])[],
  artifacts: readonly Artifact[] = [],
  name: string | null = 'Pots',
): Kept {
  const depths: number[] = [];
  const entries = bodies.map(([body, parent], at) => {
    depths[at] = parent === -1 ? 0 : (depths[parent] ?? 0) + 1;
    const envelope = { id: id(at), parent: parent === -1 ? null : id(parent), session: sessionId, seq: at + 1, depth: depths[at] };
    return { ...envelope, time: '2026-01-01T00:00:00.000Z', turn: at % 3 === 0 ? null : id(0), tokens: at, ...body };
  });
  const record: SessionRecord = {
    id: sessionId,
    name,
    parent: null,
    created: '2026-01-01T00:00:00.000Z',
    leaf: entries.at(-1)?.id ?? null,
    format: 1,
    entries: entries.length,
    updated: '2026-01-01T00:00:00.000Z',
    filling: null,
  };
  return { record, entries, artifacts: new Map(artifacts.map((one) => [one.id, one])) };
}

export const anyKept = (): fc.Arbitrary<Kept> =>
  fc
    .array(fc.tuple(anyBody(), fc.nat(1000)), { maxLength: 12 })
    .map((drawn) => kept(drawn.map(([body, at], index) => [body, index === 0 ? -1 : at % index])));

export async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
export async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const chunk of chunks) all += chunk;
  return all;
}

export const said = (text: string, origin: 'user_input' | 'notice' | 'observation' | 'handoff' = 'user_input'): Body => ({
  kind: 'message',
  origin,
  message: { role: 'user', content: [{ type: 'text', text }] },
});
export const replied = (...content: (Message & { role: 'assistant' })['content']): Body => ({
  kind: 'message',
  origin: 'model',
  message: { role: 'assistant', content },
});
export const called = (
  toolCallId: string,
  input: Extract<Body, { kind: 'custom' }>['data'] = { path: 'x' },
): Extract<Message['content'][number], { type: 'tool-call' }> => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input,
});
export const answered = (toolCallId: string, value: string): Body => ({
  kind: 'message',
  origin: 'tool',
  message: { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } }] },
});
export const path = (...bodies: readonly Body[]): readonly Entry[] => kept(bodies.map((body, at) => [body, at - 1])).entries;
export const artifact = artifactOf;

const limit = { tokens: 100, origin: 'config' as const };
const counts = { system: 0, tools: 0, hooks: 0, envelope: 0, total: 0 };
/** One model call that gave the reply `reply`. */
export const step = (reply: string, patch: ArtifactId | null = null): Body => ({
  kind: 'step',
  route: 'openai-chat:p/m',
  engine: 'e',
  budget: {
    window: limit,
    reserve: limit,
    inputCap: null,
    effective: 90,
    fixed: counts,
    available: 90,
    marks: { low: 1, prepare: 2, start: 3, hard: 4 },
  },
  judgement: { tokens: 9, mark: 'under', metric: 'count', parts: {} },
  epoch: null,
  breakReason: null,
  plan: { segments: [], estimateTokens: 0 },
  prompt: null,
  renderer: '1',
  settings: {},
  patch,
  hash: 'h',
  messages: 1,
  usage: { input: 5, output: 2, cacheRead: 3, cacheWrite: 0, reasoning: 0 },
  outcome: { kind: 'reply', reply: reply as EntryId, finish: 'stop' },
  declined: [],
});

/** A small export with everything in it that moves. */
export const ownLines = (): string[] => {
  const system = artifactOf('system_prompt', 'Be a cook.');
  const tools = artifactOf('tool_schemas', '[]');
  const compaction: Body = { kind: 'compaction', by: 'test', trigger: 'manual', segments: [], tokensBefore: 9, tokensAfter: 5 };
  const { record, entries } = kept([
    [{ kind: 'prompt', system: system.id, tools: tools.id, systemTokens: 3, toolsTokens: 1 }, -1],
    [said('List the \u2028 pots \u00e9\u{1f944}.'), 0],
    [replied({ type: 'reasoning', text: 'Hm.' }, called('a'), called('b', '{"cut')), 1],
    [step('e2'), 2],
    [answered('b', 'pan {"kind":"message"}'), 3],
    [answered('a', 'pot'), 4],
    [compaction, 5],
    [replied({ type: 'text', text: 'Two.' }, called('a')), 6],
    [said('Left.'), 4],
    [{ ...said('Old.', 'handoff'), hidden: true } as Body, 7],
    [said('Thanks.'), 9],
  ]);
  return [headerLine(record), ...[system, tools].map(artifactLine), ...entries.map(entryLine)].map((line) => line.trimEnd());
};
