import type { ArtifactId, Entry, Segment } from '@palimpsest/contracts';

/** The artifacts that an entry names. */
export function artifactsOf(entry: Entry): readonly ArtifactId[] {
  switch (entry.kind) {
    case 'prompt':
      return [entry.system, entry.tools];
    case 'compaction':
      return [...summaries(entry.segments), ...(entry.state === undefined ? [] : [entry.state])];
    case 'step':
      return [...summaries(entry.plan.segments), ...(entry.patch === null ? [] : [entry.patch])];
    case 'message':
      return entry.source?.record === undefined ? [] : [entry.source.record];
    default:
      return [];
  }
}

const summaries = (segments: readonly Segment[]): readonly ArtifactId[] =>
  segments.flatMap((segment) => (segment.show === 'summary' && 'artifact' in segment.text ? [segment.text.artifact] : []));
