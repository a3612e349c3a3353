import { createHash } from 'node:crypto';
import type { ArtifactId, ModelRequest } from '@palimpsest/contracts';

/** sha256 of a request as plain JSON, hexadecimal: what a step records and `why` verifies. */
export function hashOf(request: ModelRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** The content-hash id of an artifact of this kind and body. */
export function artifactIdOf(kind: string, body: string): ArtifactId {
  return createHash('sha256').update(kind).update('\u0000').update(body).digest('hex').slice(0, 32) as ArtifactId;
}
