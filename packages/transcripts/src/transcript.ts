/** What a reader of transcripts deals with: a file, its sessions, and each session's stream of items. */
import type { AssistantMessage, Body, Finish, ToolResultPart, ToolSchema, Usage, UserMessage } from '@palimpsest/contracts';

/** What `format` takes. */
export const formatNames = [
  'pi',
  'claude-code',
  'codex',
  'gemini-cli',
  'ai-sdk',
  'anthropic',
  'openai-chat',
  'responses',
  'opencode',
  'hermes',
  'goose',
  'cline',
  'swe-agent',
  'mini-swe-agent',
  'tau-bench',
  'palimpsest',
] as const;
export type FormatName = (typeof formatNames)[number];

export interface ReadOptions {
  /** Overrides the detection by content. */
  readonly format?: FormatName;
  /** Follow the recorded parents to the newest leaf; what lies on branches that were left is listed as `rewound`. Default: file order, all branches. */
  readonly tree?: boolean;
  /** A longer line, or element of a streamed document, is skipped with its number. Default 64 MiB. */
  readonly lineLimitBytes?: number;
  /** A JSON document above this size is streamed element by element, below it is parsed whole. Default 32 MiB. */
  readonly documentLimitBytes?: number;
}

/** Provenance of what stands in role user; summaries of older turns are hidden items. */
export type UserOrigin = 'user_input' | 'continuation' | 'notice' | 'observation';

/** `line` counts lines from 1; in JSON documents it is the element's index from 0. */
export type TranscriptItem =
  | { readonly kind: 'user'; readonly line: number; readonly origin: UserOrigin; readonly message: UserMessage }
  | {
      readonly kind: 'assistant';
      readonly line: number;
      readonly message: AssistantMessage;
      readonly usage: Usage | null;
      readonly finish: Finish;
    }
  /** Directly behind its assistant item, in the order of the calls. `made`: no result was recorded, this one is ours and `line` is null. */
  | { readonly kind: 'result'; readonly line: number | null; readonly part: ToolResultPart; readonly made: boolean }
  | { readonly kind: 'hidden'; readonly line: number; readonly body: Body };

/** Why a record, or a part of one, left nothing but this line. A closed list. */
export type SkipReason =
  | 'torn'
  | 'nul'
  | 'not-an-object'
  | 'malformed'
  | 'unknown-kind'
  | 'unknown-role'
  | 'duplicate'
  | 'superseded'
  | 'rewound'
  | 'duplicate-result'
  | 'result-without-call'
  | 'incomplete-call'
  | 'empty-user'
  | 'sidechain'
  | 'progress'
  | 'undo-data'
  | 'ui-only'
  | 'queue-bookkeeping';

/** Where in the file: a line from 1, or an index from 0 in a document. */
export interface Place {
  readonly line?: number;
  readonly index?: number;
}
export interface Skipped extends Place {
  readonly reason: SkipReason;
  readonly detail?: string;
}
/** Something odd about what was read all the same. */
export interface Noted extends Place {
  readonly reason: string;
}

/** What kind of request a user_input is. */
export type InputKind = 'typed' | 'plan' | 'command' | 'queued' | 'with-result' | 'image' | 'task';

/** Tokens as recorded, each model call once; `input` without cached tokens. Detail only: recorded figures are often wrong. */
export interface UsageTotals {
  readonly calls: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** read + hidden + meta + skippedRecords = records; toolResults + callsWithoutResult = toolCalls. */
export interface TranscriptReport {
  readonly format: FormatName;
  readonly records: number;
  readonly read: number;
  readonly hidden: number;
  readonly meta: number;
  readonly skippedRecords: number;
  readonly userInput: number;
  readonly userInputBy: Readonly<Partial<Record<InputKind, number>>>;
  readonly notice: number;
  readonly observation: number;
  readonly handoff: number;
  readonly continuation: number;
  /** userInput + notice + observation + handoff + continuation + assistant + toolResults + callsWithoutResult. */
  readonly messages: number;
  readonly assistant: number;
  readonly assistantHidden: number;
  readonly assistantEmpty: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly callsWithoutResult: number;
  readonly resultsWithoutCall: number;
  readonly thinking: number;
  readonly thinkingSigned: number;
  readonly images: number;
  readonly compactions: number;
  readonly reductions: number;
  readonly usage: UsageTotals;
  /** Number of each record kind, by the format's own names. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Everything that was left out, one by one. */
  readonly skipped: readonly Skipped[];
  readonly notes: readonly Noted[];
}

export interface TranscriptSession {
  readonly index: number;
  readonly id: string | null;
  readonly title: string | null;
  /** System text known at the start; '' when there is none. */
  readonly system: string;
  /** The recorded schemas, else made once from all calls of the session: fixed from its start. */
  readonly tools: readonly ToolSchema[];
  /** Streams from the file; may be iterated again. What is held grows with open tool groups, not with the file. @throws TRANSCRIPT_UNREADABLE when the file was rewritten meanwhile. */
  items(): AsyncIterable<TranscriptItem>;
  /** Complete once an `items()` was drained; before that, what the newest iteration has seen so far. */
  report(): TranscriptReport;
}

export interface TranscriptFile {
  readonly file: string;
  readonly format: FormatName;
  /** Of the file's raw bytes (as stored, gzipped or not), 64 hexadecimal digits. */
  readonly sha256: string;
  readonly sessions: readonly TranscriptSession[];
}
