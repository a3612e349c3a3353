export { openTranscript } from './open.ts';
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
