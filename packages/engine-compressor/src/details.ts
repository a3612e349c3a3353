/** The file lists of a compaction, cumulative over the path. Pure. */
import type { CompactionBody, Json } from '@palimpsest/contracts';
import { isLogged } from './cover.ts';
import { merged, emptyDocument } from './summary/document.ts';
import { filesIn } from './summary/extract.ts';
import { parsed } from './summary/format.ts';
import type { Bundle } from './bundles.ts';

/** `readFiles` without those that were modified; both sorted. */
export interface FileDetails {
  readonly readFiles: string[];
  readonly modifiedFiles: string[];
}

/** Earlier lists come from the newest compaction's details and from the summaries that are folded in. */
export function fileDetails(covered: readonly Bundle[], earlier: CompactionBody | null): FileDetails {
  const before = earlierFiles(earlier?.details);
  const prior = covered
    .filter(isLogged)
    .map(({ text }) => parsed(text ?? ''))
    .reduce(merged, { ...emptyDocument, read: before.readFiles, modified: before.modifiedFiles });
  const own = filesIn(covered.flatMap((bundle) => (bundle.kind === 'entries' ? bundle.placed : [])));
  const { read, modified } = merged(prior, { ...emptyDocument, ...own });
  return { readFiles: [...read].sort(), modifiedFiles: [...modified].sort() };
}

function earlierFiles(details: Json | undefined): FileDetails {
  const record = typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {};
  return { readFiles: strings(record['readFiles']), modifiedFiles: strings(record['modifiedFiles']) };
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
