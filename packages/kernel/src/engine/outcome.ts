import { artifactId, json, reductionItem, segment, sessionId } from '@palimpsest/contracts';
import type { CompactOutcome, SessionId } from '@palimpsest/contracts';
import { z } from 'zod';
import { artifactIdOf } from '../hash.ts';

/** The last instant that a date can name. */
const LAST_MS = 8.64e15;

const artifact = z.object({
  id: artifactId,
  kind: z.string(),
  session: sessionId.nullable(),
  body: z.string(),
  source: z.object({ firstSeq: z.number().int(), lastSeq: z.number().int() }).nullable(),
  madeBy: json,
  tokens: z.number().int().nonnegative(),
});
const drafts = z.object({
  compaction: z
    .object({ segments: z.array(segment).min(1), short: z.string().optional(), state: artifactId.optional(), details: json.optional() })
    .optional(),
  reductions: z.array(reductionItem).optional(),
  artifacts: z.array(artifact).optional(),
});

/** What an engine may answer a compaction with. Code of others: looked at before it is believed. */
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('compacted'), drafts }),
  z.object({ kind: z.literal('prepared'), artifacts: z.array(artifact) }),
  z.object({ kind: z.literal('noop'), reason: z.enum(['under-mark', 'nothing-eligible', 'no-gain']) }),
  z.object({
    kind: z.literal('deferred'),
    until: z.union([z.enum(['idle', 'usage']), z.object({ atMs: z.number().min(-LAST_MS).max(LAST_MS) })]),
  }),
  z.object({
    kind: z.literal('irreducible'),
    floorTokens: z.number(),
    parts: z.record(z.string(), z.number()),
    advice: z.array(z.string()),
  }),
  z.object({ kind: z.literal('failed'), error: z.string(), retryable: z.boolean() }),
]);

/** What is wrong with an answer: the rule it breaks, and how. */
export interface BadOutcome {
  readonly rule: 'outcome-invalid' | 'artifact-forged' | 'artifact-foreign';
  readonly problem: string;
}

/** A copy of the answer, when it is one: what the engine does to its own afterwards changes nothing. @returns what is wrong with it otherwise. */
export function checkedOutcome(answer: unknown, session: SessionId): { readonly outcome: CompactOutcome } | BadOutcome {
  const parsed = outcome.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      rule: 'outcome-invalid',
      problem: `answers with no known outcome: ${issue === undefined ? 'invalid' : `${z.core.toDotPath(issue.path)} ${issue.message}`}`,
    };
  }
  // The store keeps the body it knows under an id: another one would be measured, and never shown.
  const made = artifactsIn(parsed.data);
  const forged = made.find(({ id, kind, body }) => id !== artifactIdOf(kind, body));
  if (forged !== undefined)
    return { rule: 'artifact-forged', problem: `the artifact ${forged.id} is not named by the hash of its kind and body` };
  const foreign = made.find((one) => one.session !== null && one.session !== session);
  if (foreign !== undefined)
    return {
      rule: 'artifact-foreign',
      problem: `the artifact ${foreign.id} is of the session ${String(foreign.session)}, and not of this one`,
    };
  return { outcome: parsed.data as CompactOutcome };
}

function artifactsIn(answer: z.infer<typeof outcome>): readonly z.infer<typeof artifact>[] {
  if (answer.kind === 'prepared') return answer.artifacts;
  return answer.kind === 'compacted' ? (answer.drafts.artifacts ?? []) : [];
}
