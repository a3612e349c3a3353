import type { ArtifactId } from '../ids.ts';
import type { Body } from './entry.ts';
import type { Segment } from './segments.ts';

/** The artifacts that an entry names: without them it cannot be shown or rebuilt elsewhere. Pure. */
export function artifactsOf(entry: Body): readonly ArtifactId[] {
  switch (entry.kind) {
    case 'prompt':
      return [entry.system, entry.tools];
    case 'compaction':
      return [...summariesIn(entry.segments), ...(entry.state === undefined ? [] : [entry.state])];
    case 'step':
      return [...summariesIn(entry.plan.segments), ...(entry.patch === null ? [] : [entry.patch])];
    case 'message':
      return entry.source?.record === undefined ? [] : [entry.source.record];
    default:
      return [];
  }
}

function summariesIn(segments: readonly Segment[]): readonly ArtifactId[] {
  return segments.flatMap((segment) => (segment.show === 'summary' && 'artifact' in segment.text ? [segment.text.artifact] : []));
}
