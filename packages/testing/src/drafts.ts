import { createHash } from 'node:crypto';
import {
  artifactId,
  entryId,
  sessionId,
  type Artifact,
  type ArtifactId,
  type Body,
  type CompactionBody,
  type CustomBody,
  type Draft,
  type EntryId,
  type Json,
  type MessageBody,
  type Segment,
  type SessionId,
  type SessionRecord,
} from '@palimpsest/contracts';

/** What a builder takes besides the text; every field has a default. `tokens` defaults to a quarter of the characters. */
export interface DraftOptions {
  readonly id?: string;
  readonly time?: string;
  readonly turn?: EntryId | null;
  readonly tokens?: number;
}

const START = '2026-01-01T00:00:00.000Z';
let minted = 0;

/** A draft of any body. Ids count on within a process; pass `id` where they have to repeat. */
export function draftOf<B extends Body>(body: B, options: DraftOptions = {}): Draft<B> {
  const id = entryId.parse(options.id ?? `d${String(++minted).padStart(6, '0')}`);
  const tokens = options.tokens ?? Math.ceil(JSON.stringify(body).length / 4);
  return { id, time: options.time ?? START, turn: options.turn ?? null, tokens, ...body } as unknown as Draft<B>;
}

/** A person's message. */
export function userDraft(text: string, options: DraftOptions = {}): Draft<MessageBody> {
  return draftOf({ kind: 'message', origin: 'user_input', message: { role: 'user', content: [{ type: 'text', text }] } }, options);
}

/** A final answer. */
export function assistantDraft(text: string, options: DraftOptions = {}): Draft<MessageBody> {
  return draftOf({ kind: 'message', origin: 'model', message: { role: 'assistant', content: [{ type: 'text', text }] } }, options);
}

export interface CallOf {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
}
/** A reply that asks for tools. */
export function callDraft(calls: CallOf | readonly CallOf[], options: DraftOptions & { readonly text?: string } = {}): Draft<MessageBody> {
  const asked = 'toolCallId' in calls ? [calls] : calls;
  const text = options.text === undefined ? [] : [{ type: 'text' as const, text: options.text }];
  return draftOf(
    {
      kind: 'message',
      origin: 'model',
      message: { role: 'assistant', content: [...text, ...asked.map((call) => ({ type: 'tool-call' as const, ...call }))] },
    },
    options,
  );
}

/** What a tool gave back. */
export function resultDraft(
  toolCallId: string,
  value: string,
  options: DraftOptions & { readonly toolName?: string; readonly failed?: boolean } = {},
): Draft<MessageBody> {
  const output = { type: options.failed === true ? ('error-text' as const) : ('text' as const), value };
  return draftOf(
    {
      kind: 'message',
      origin: 'tool',
      message: { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: options.toolName ?? 'read', output }] },
    },
    options,
  );
}

export function customDraft(key: string, data: Json, shown: string | null = null, options: DraftOptions = {}): Draft<CustomBody> {
  return draftOf({ kind: 'custom', by: 'test', key, data, shown }, options);
}

export function compactionDraft(segments: readonly Segment[], options: DraftOptions = {}): Draft<CompactionBody> {
  return draftOf({ kind: 'compaction', by: 'test', trigger: 'manual', segments, tokensBefore: 1000, tokensAfter: 100 }, options);
}

/** The id that kind and body have by the rule of contracts. */
export function artifactIdOf(kind: string, body: string): ArtifactId {
  return artifactId.parse(createHash('sha256').update(kind).update('\0').update(body).digest('hex').slice(0, 32));
}

export function artifactOf(
  kind: string,
  body: string,
  fields: Partial<Pick<Artifact, 'session' | 'source' | 'madeBy' | 'tokens'>> = {},
): Artifact {
  return {
    id: artifactIdOf(kind, body),
    kind,
    session: null,
    body,
    source: null,
    madeBy: { test: true },
    tokens: Math.ceil(body.length / 4),
    ...fields,
  };
}

/** What `Log.open` takes. */
export function sessionOf(
  id: string,
  fields: Partial<Pick<SessionRecord, 'name' | 'parent' | 'created'>> = {},
): Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'> {
  return { id: sessionId.parse(id), name: null, parent: null, created: START, ...fields };
}

/** For tests that need the branded id alone. */
export function sessionIdOf(id: string): SessionId {
  return sessionId.parse(id);
}

export function entryIdOf(id: string): EntryId {
  return entryId.parse(id);
}
