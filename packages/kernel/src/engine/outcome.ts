import { artifactId, json, reductionItem, segment } from '@palimpsest/contracts';
import type { CompactOutcome } from '@palimpsest/contracts';
import { z } from 'zod';

const artifact = z.looseObject({ id: artifactId, kind: z.string(), body: z.string(), tokens: z.number() });
const drafts = z.looseObject({
  compaction: z.looseObject({ segments: z.array(segment).min(1), short: z.string().optional(), state: artifactId.optional(), details: json.optional() }).optional(),
  reductions: z.array(reductionItem).optional(),
  artifacts: z.array(artifact).optional(),
});

/** What an engine may answer a compaction with. Code of others: looked at before it is believed. */
const outcome = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('compacted'), drafts }),
  z.looseObject({ kind: z.literal('prepared'), artifacts: z.array(artifact) }),
  z.looseObject({ kind: z.literal('noop'), reason: z.enum(['under-mark', 'nothing-eligible', 'no-gain']) }),
  z.looseObject({ kind: z.literal('deferred'), until: z.union([z.enum(['idle', 'usage']), z.looseObject({ atMs: z.number() })]) }),
  z.looseObject({ kind: z.literal('irreducible'), floorTokens: z.number(), parts: z.record(z.string(), z.number()), advice: z.array(z.string()) }),
  z.looseObject({ kind: z.literal('failed'), error: z.string(), retryable: z.boolean() }),
]);

/** The answer as it is, when it is one. @returns what is wrong with it otherwise. */
export function checkedOutcome(answer: unknown): { readonly outcome: CompactOutcome } | { readonly problem: string } {
  const parsed = outcome.safeParse(answer);
  if (parsed.success) return { outcome: answer as CompactOutcome };
  const [issue] = parsed.error.issues;
  return { problem: `answers with no known outcome: ${issue === undefined ? 'invalid' : `${z.core.toDotPath(issue.path)} ${issue.message}`}` };
}
