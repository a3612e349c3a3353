import type { Artifact, ArtifactId, ArtifactInfo, Artifacts, SessionId } from '@palimpsest/contracts';
import { assertLimit, assertRange } from './bounds.ts';
import { frozenCopy } from './frozen.ts';
import type { MemoryState } from './state.ts';

export class MemoryArtifacts implements Artifacts {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async put(artifacts: readonly Artifact[]): Promise<void> {
    this.#state.assertOpen();
    putArtifacts(this.#state, artifacts);
  }

  async get(id: ArtifactId, range?: { readonly offset: number; readonly length: number }): Promise<Artifact | null> {
    this.#state.assertOpen();
    const artifact = this.#state.artifacts.get(id)?.artifact;
    if (artifact === undefined) return null;
    if (range === undefined) return artifact;
    assertRange(range);
    return { ...artifact, body: artifact.body.slice(range.offset, range.offset + range.length) };
  }

  async list(filter: { readonly session?: SessionId; readonly kind?: string; readonly limit: number }): Promise<readonly ArtifactInfo[]> {
    this.#state.assertOpen();
    assertLimit(filter.limit);
    return [...this.#state.artifacts.values()]
      .reverse()
      .filter(
        (held) =>
          (filter.session === undefined || held.holders.has(filter.session)) &&
          (filter.kind === undefined || held.artifact.kind === filter.kind),
      )
      .slice(0, filter.limit)
      .map(({ artifact: { body, ...info } }) => ({ ...info, bytes: Buffer.byteLength(body) }));
  }
}

/** All or nothing; an id that exists keeps its body and gains a holder. @throws LOG_SESSION_UNKNOWN. */
export function putArtifacts(state: MemoryState, artifacts: readonly Artifact[]): void {
  for (const { session } of artifacts) if (session !== null) state.session(session);
  for (const artifact of artifacts) {
    const held = state.artifacts.get(artifact.id) ?? { artifact: frozenCopy(artifact), holders: new Set<SessionId>() };
    state.artifacts.set(artifact.id, held);
    if (artifact.session !== null) held.holders.add(artifact.session);
  }
}
