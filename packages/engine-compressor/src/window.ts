import type { ArtifactId, BranchReader, EntryId, Placed, Segment, SummarySegment } from '@palimpsest/contracts';
import { entryBundles, loggedBundle, type Bundle } from './bundles.ts';

/** Body of an artifact; null: it is not there. */
export type ReadText = (id: ArtifactId) => Promise<string | null>;

/**
 * What the branch shows now, oldest first. Reads the entries behind the newest active compaction and those that it shows itself:
 * what it covers is not touched. @throws the signal's reason.
 */
export async function readWindow(branch: BranchReader, readText: ReadText, signal: AbortSignal): Promise<readonly Bundle[]> {
  const logged = branch.compaction?.segments ?? [];
  const bundles: Bundle[] = [];
  let after: EntryId | null = null;
  for (const segment of logged) {
    bundles.push(...(await bundlesOf(segment, after, { branch, readText, signal })));
    after = segment.through;
  }
  return [...bundles, ...entryBundles(await newerThan(after, branch, signal))];
}

interface Reading {
  readonly branch: BranchReader;
  readonly readText: ReadText;
  readonly signal: AbortSignal;
}

async function bundlesOf(segment: Segment, after: EntryId | null, reading: Reading): Promise<readonly Bundle[]> {
  if (segment.show === 'entries') return entryBundles(await stretch(after, segment.through, reading));
  return [loggedBundle(segment, segment.show === 'summary' ? await textOf(segment, reading.readText) : null)];
}

async function textOf({ text }: SummarySegment, readText: ReadText): Promise<string | null> {
  return 'inline' in text ? text.inline : readText(text.artifact);
}

async function stretch(after: EntryId | null, through: EntryId, { branch, signal }: Reading): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for await (const next of branch.oldestFirst(after)) {
    signal.throwIfAborted();
    placed.push(next);
    if (next.entry.id === through) break;
  }
  return placed;
}

async function newerThan(through: EntryId | null, branch: BranchReader, signal: AbortSignal): Promise<readonly Placed[]> {
  if (through === branch.last) return [];
  const placed: Placed[] = [];
  for await (const next of branch.newestFirst()) {
    signal.throwIfAborted();
    if (next.entry.id === through) break;
    placed.push(next);
  }
  return placed.reverse();
}
