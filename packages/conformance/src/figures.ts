/** The host's own figures for what an engine shows: progress is measured, never claimed. */
import { reducedMessage } from '@palimpsest/contracts';
import type { Artifact, Drafts, Message, Placed, ReductionItem, Segment, SummarySegment } from '@palimpsest/contracts';
import type { LabSession } from './lab-session.ts';

/** What the branch would cost with these drafts, every text counted by the host. @throws ENGINE_PLAN_INVALID. */
export async function measuredTokens(session: LabSession, { compaction, reductions, ...drafts }: Drafts): Promise<number> {
  const isLogged = await loggedSummaries(session);
  const segments = await Promise.all(
    (compaction?.segments ?? []).map(async (segment) =>
      segment.show !== 'summary' || isLogged(segment) ? segment : recounted(session, segment, drafts.artifacts ?? []),
    ),
  );
  const counted = {
    ...drafts,
    ...(compaction === undefined ? {} : { compaction: { ...compaction, segments } }),
    ...(reductions === undefined ? {} : { reductions: await recountedItems(session, reductions) }),
  };
  return (await session.kit.journal.preview(counted)).shownTokens;
}

/** The text of a summary; null: the artifact that it names does not exist. */
export async function textOf(
  session: LabSession,
  { text }: Segment & { show: 'summary' },
  artifacts: readonly Artifact[],
): Promise<string | null> {
  if ('inline' in text) return text.inline;
  return artifacts.find(({ id }) => id === text.artifact)?.body ?? (await session.artifact(text.artifact))?.body ?? null;
}

/** Whether a summary with this text at this cost stands in the log already: whoever repeats it claims nothing of his own. */
export async function loggedSummaries(session: LabSession): Promise<(segment: SummarySegment) => boolean> {
  const logged = new Set(
    (await session.placed()).flatMap(({ shape }) =>
      shape.kind === 'covered' && shape.segment?.show === 'summary' ? [keyOf(shape.segment)] : [],
    ),
  );
  return (segment) => logged.has(keyOf(segment));
}

function keyOf({ text, tokens }: SummarySegment): string {
  return JSON.stringify([text, tokens]);
}

/** An entry once it is shortened. */
export function reducedTokens(session: LabSession, placed: Placed, message: Message, own: readonly ReductionItem[]): Promise<number> {
  return session.kit.drafts.messageTokens(reducedMessage(message, inForce(placed, own)));
}

/** The newest item of each part counts. */
function inForce({ shape }: Placed, own: readonly ReductionItem[]): readonly ReductionItem[] {
  const all = [...(shape.kind === 'reduced' ? shape.items : []), ...own];
  return [...new Map(all.map((item) => [`${item.target} ${item.part ?? ''}`, item])).values()];
}

async function recounted(session: LabSession, segment: SummarySegment, artifacts: readonly Artifact[]): Promise<Segment> {
  const text = await textOf(session, segment, artifacts);
  return text === null ? segment : { ...segment, tokens: session.blockTokens(text) };
}

async function recountedItems(session: LabSession, items: readonly ReductionItem[]): Promise<readonly ReductionItem[]> {
  const placed = new Map((await session.placed()).map((one) => [one.entry.id, one]));
  return Promise.all(
    items.map(async (item) => {
      const at = placed.get(item.entry);
      return at?.entry.kind === 'message'
        ? {
            ...item,
            tokens: await reducedTokens(
              session,
              at,
              at.entry.message,
              items.filter(({ entry }) => entry === item.entry),
            ),
          }
        : item;
    }),
  );
}
