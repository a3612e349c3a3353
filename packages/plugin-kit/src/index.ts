export { defineContextEngine } from './define-context-engine.ts';
export type { EngineDescription } from './define-context-engine.ts';
export { fromCompressor } from './adapters/from-compressor.ts';
export type { CompressAsk, CompressorDescription, MessageCompressor, SelectAsk } from './adapters/from-compressor.ts';
export { fromSelector } from './adapters/from-selector.ts';
export type { SelectorAsk, SelectorDescription, SelectorItem } from './adapters/from-selector.ts';
export type { PlainCall, PlainMessage } from './adapters/plain-messages.ts';
export { groupsOldestFirst } from './groups.ts';
export type { Group } from './groups.ts';
export { outputText } from './output-text.ts';
export { lowestTrust, voicesOf } from './trust.ts';
export { everything, segmentsFrom } from './plans.ts';
export type { Showing, Piece } from './plans.ts';

export { ENGINE_CONTRACT_VERSION } from '@palimpsest/contracts';
// prettier-ignore
export type {
  ContextEngine, EngineDefinition, EngineFactory, EngineHost, EngineManifest, EngineStatus, EngineTool,
  PlanRequest, PlanViolation, CompactRequest, CompactOutcome, CompactionDraft, Drafts, TurnStart, Note, TurnEnd, CommittedTurn, UsageReport, Summary,
  BranchReader, Placed, Shape, ContextPlan, Segment, EntriesSegment, SummarySegment, NothingSegment, Quality, Trust, ReductionItem, ReductionReason,
  Artifact, ArtifactId, Budget, Entry, EntryId, Hit, Json, Message, SessionId, Trigger, Usage,
} from '@palimpsest/contracts';
