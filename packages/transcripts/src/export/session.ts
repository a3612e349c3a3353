/** A session as our own export: nothing is lost, and importing it and exporting it again gives the same bytes. */
import { artifactsOf } from '@palimpsest/contracts';
import type { Artifact, ArtifactId, Entry, SessionRecord } from '@palimpsest/contracts';
import { artifactLine, entryLine, headerLine } from './own-lines.ts';

export interface OwnSession {
  readonly record: SessionRecord;
  /** All entries, of every branch, in the order of `seq`. */
  readonly entries: AsyncIterable<Entry>;
  readonly artifact: (id: ArtifactId) => Promise<Artifact | null>;
}

/** Lines with their line feeds. An artifact that is not in the store has no line; readers are told by the entry that names it. */
export async function* exportSession({ record, entries, artifact }: OwnSession): AsyncGenerator<string> {
  yield headerLine(record);
  const written = new Set<ArtifactId>();
  for await (const entry of entries) {
    for (const id of artifactsOf(entry)) {
      if (written.has(id)) continue;
      written.add(id);
      const found = await artifact(id);
      if (found !== null) yield artifactLine(found);
    }
    yield entryLine(entry);
  }
}
