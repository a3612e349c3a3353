import { createHash, type Hash } from 'node:crypto';
import type { ArtifactId, ModelRequest } from '@palimpsest/contracts';

/** sha256 of a request as plain JSON, hexadecimal: what a step records and `why` verifies. */
export function hashOf(request: ModelRequest): string {
  return hashesOf(request, null).whole;
}

/** The same, and that of its beginning as an earlier request: its first `messages` messages under that one's settings. Null: it has fewer. One pass. */
export function hashesOf(request: ModelRequest, earlier: { readonly messages: number; readonly settings: unknown } | null): { readonly whole: string; readonly beginning: string | null } {
  const { route, system, tools, messages } = request;
  const hash = createHash('sha256').update(`{"route":${JSON.stringify(route)},"system":${JSON.stringify(system)},"tools":${JSON.stringify(tools)},"messages":[`);
  let beginning: string | null = null;
  for (let at = 0; at <= messages.length; at += 1) {
    if (at === earlier?.messages) beginning = ended(hash.copy(), earlier.settings);
    if (at < messages.length) hash.update(`${at === 0 ? '' : ','}${JSON.stringify(messages[at])}`);
  }
  return { whole: ended(hash, request.settings), beginning };
}

function ended(hash: Hash, settings: unknown): string {
  return hash.update(`],"settings":${JSON.stringify(settings)}}`).digest('hex');
}

/** The content-hash id of an artifact of this kind and body. */
export function artifactIdOf(kind: string, body: string): ArtifactId {
  return createHash('sha256').update(kind).update('\u0000').update(body).digest('hex').slice(0, 32) as ArtifactId;
}
