/** How engines are made that break one rule. */
import type {
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineDefinition,
  EngineHost,
  EntryId,
  Placed,
  PlanRequest,
  Segment,
} from '@palimpsest/contracts';
import { honest } from './honest.ts';

/** An engine that breaks one rule, and the group of the conformance kit that has to name it. */
export interface HostileEngine {
  readonly name: string;
  readonly group: string;
  readonly rule: string;
  readonly definition: EngineDefinition;
}

export type Make = (host: EngineHost) => ContextEngine;
type Own = ReturnType<typeof honest>;

/** @param more what its definition says otherwise. */
export function hostile(
  name: string,
  group: string,
  rule: string,
  make: Make,
  more: { readonly manifest?: Partial<EngineDefinition['manifest']>; readonly parseOptions?: EngineDefinition['parseOptions'] } = {},
): HostileEngine {
  const manifest: EngineDefinition['manifest'] = {
    name,
    version: '1.0.0',
    contract: '^1.0',
    description: `Breaks one rule: ${rule}.`,
    main: 'none',
    provides: ['context-engine'],
    owns: [],
    needs: [],
    permissions: [],
    options: { type: 'object', properties: {}, additionalProperties: false },
    ...more.manifest,
  };
  return {
    name,
    group,
    rule,
    definition: {
      manifest,
      factory: (host) => make(host),
      ...(more.parseOptions === undefined ? {} : { parseOptions: more.parseOptions }),
    },
  };
}

/** An honest engine but for this. */
export const but =
  (make: (host: EngineHost, own: Own) => Partial<ContextEngine>): Make =>
  (host) => {
    const own = honest(host);
    return { ...own, ...make(host, own) };
  };
export const plansWith = (plan: (request: PlanRequest) => ContextPlan | Promise<ContextPlan>): Make => but(() => ({ plan }));
export const compactsWith = (compact: (request: CompactRequest, host: EngineHost) => Promise<CompactOutcome>): Make =>
  but((host) => ({ compact: (request) => compact(request, host) }));

type Compacted = CompactOutcome & { readonly kind: 'compacted' };
/** Proposes what an honest one does, changed. */
export const proposes = (
  change: (outcome: Compacted, request: CompactRequest, host: EngineHost) => CompactOutcome | Promise<CompactOutcome>,
): Make =>
  but((host, own) => ({
    compact: async (request) => {
      const outcome = await own.compact(request);
      return outcome.kind === 'compacted' ? change(outcome, request, host) : outcome;
    },
  }));
/** The same proposal with other summaries. */
export function withSummaries({ drafts }: Compacted, change: (segment: Segment & { show: 'summary' }) => Segment): Compacted {
  const segments = (drafts.compaction?.segments ?? []).map((one) => (one.show === 'summary' ? change(one) : one));
  return { kind: 'compacted', drafts: { ...drafts, compaction: { ...drafts.compaction, segments } } };
}

export const never = <T>(): Promise<T> => new Promise(() => undefined);
export const planOf = (segments: readonly Segment[]): ContextPlan => ({ segments, estimateTokens: 1 });
export const whole = (through: EntryId): Segment => ({ through, show: 'entries' });
export const nothing = (through: EntryId): Segment => ({ through, show: 'nothing', reason: 'not wanted', reach: null });

export async function placedOf({ branch }: Pick<PlanRequest, 'branch'>): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for await (const one of branch.oldestFirst(null)) placed.push(one);
  return placed;
}

export const isCalling = ({ entry }: Placed): boolean =>
  entry.kind === 'message' && entry.message.role === 'assistant' && entry.message.content.some(({ type }) => type === 'tool-call');
