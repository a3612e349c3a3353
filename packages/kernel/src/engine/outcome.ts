import { artifactId, json, reductionItem, segment } from '@palimpsest/contracts';
import type { CompactOutcome } from '@palimpsest/contracts';
import { z } from 'zod';
import { artifactIdOf } from '../hash.ts';

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

/** What is wrong with an answer: the rule it breaks, and how. */
export interface BadOutcome { readonly rule: 'outcome-invalid' | 'artifact-forged'; readonly problem: string }

/** A copy of the answer, when it is one: what the engine does to its own afterwards changes nothing. @returns what is wrong with it otherwise. */
export function checkedOutcome(answer: unknown): { readonly outcome: CompactOutcome } | BadOutcome {
  const parsed = outcome.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { rule: 'outcome-invalid', problem: `answers with no known outcome: ${issue === undefined ? 'invalid' : `${z.core.toDotPath(issue.path)} ${issue.message}`}` };
  }
  // The store keeps the body it knows under an id: another one would be measured, and never shown.
  const forged = artifactsIn(parsed.data).find(({ id, kind, body }) => id !== artifactIdOf(kind, body));
  if (forged !== undefined) return { rule: 'artifact-forged', problem: `the artifact ${forged.id} is not named by the hash of its kind and body` };
  return { outcome: parsed.data as CompactOutcome };
}

function artifactsIn(answer: z.infer<typeof outcome>): readonly z.infer<typeof artifact>[] {
  if (answer.kind === 'prepared') return answer.artifacts;
  return answer.kind === 'compacted' ? (answer.drafts.artifacts ?? []) : [];
}
