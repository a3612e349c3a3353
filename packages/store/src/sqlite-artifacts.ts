import type { Artifact, ArtifactId, ArtifactInfo, Artifacts, SessionId } from '@palimpsest/contracts';
import { assertLimit, assertRange } from './bounds.ts';
import type { Link } from './link.ts';

export class SqliteArtifacts implements Artifacts {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  async put(artifacts: readonly Artifact[]): Promise<void> {
    await this.#link.call('putArtifacts', artifacts);
  }

  async get(id: ArtifactId, range?: { readonly offset: number; readonly length: number }): Promise<Artifact | null> {
    if (range !== undefined) assertRange(range);
    return await this.#link.call('getArtifact', id, range ?? null);
  }

  async list(filter: { readonly session?: SessionId; readonly kind?: string; readonly limit: number }): Promise<readonly ArtifactInfo[]> {
    assertLimit(filter.limit);
    return await this.#link.call('listArtifacts', filter);
  }
}
