export { exportAnthropic } from './export/anthropic.ts';
export { exportChat } from './export/chat.ts';
export { exportMarkdown } from './export/markdown.ts';
export { exportModelMessages } from './export/model-messages.ts';
export { exportSession } from './export/session.ts';
export { openTranscript } from './open.ts';
export { formatNames } from './transcript.ts';
export { readOwnExport } from './own/read.ts';
export type { Redact } from './export/clean.ts';
export type { AnthropicExportOptions } from './export/anthropic.ts';
export type { ExportOptions, PathEntries } from './export/exchanges.ts';
export type { MarkdownExportOptions } from './export/markdown.ts';
export type { OwnHeader } from './export/own-lines.ts';
export type { OwnSession } from './export/session.ts';
export type { OwnRecord } from './own/read.ts';
export type {
  FormatName,
  InputKind,
  Noted,
  Place,
  ReadOptions,
  Skipped,
  SkipReason,
  TranscriptFile,
  TranscriptItem,
  TranscriptReport,
  TranscriptSession,
  UsageTotals,
  UserOrigin,
} from './transcript.ts';
