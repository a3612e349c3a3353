export { createRuntime, HostRuntime } from './runtime.ts';
export { replayTranscript } from './replay/replay.ts';
export type { ReplayAsk } from './replay/replay.ts';
export type { ReplayInvariants, ReplayReport, ReplayStep, ReplayTotals } from './replay/report.ts';
export type { FormatName } from '@palimpsest/transcripts';
export type { EngineDefinition, HostTool, Runtime, RuntimeOptions, Session, SessionStatus, StreamPart, Turn, TurnResult, UserInput, Why } from '@palimpsest/contracts';
