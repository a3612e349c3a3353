import { createHash } from 'node:crypto';
import type { ArtifactId, Message, ModelRequest } from '@palimpsest/contracts';

/** Messages belong to the log and nobody writes to them, so that each is serialised once, however many requests it is part of. */
const digests = new WeakMap<Message, string>();

/** sha256 over route, system text, tools, settings and the digest of each message, hexadecimal: what a step records and `why` verifies. */
export function hashOf(request: ModelRequest): string {
  return beginningHashOf(request, { messages: request.messages.length, settings: request.settings }) ?? '';
}

/** The hash of its beginning as an earlier request: its first `messages` messages under that one's settings. Null: it has fewer. */
export function beginningHashOf(
  { route, system, tools, messages }: ModelRequest,
  earlier: { readonly messages: number; readonly settings: unknown },
): string | null {
  if (messages.length < earlier.messages) return null;
  const hash = createHash('sha256').update(JSON.stringify({ route, system, tools, settings: earlier.settings }));
  for (const message of messages.slice(0, earlier.messages)) hash.update(digestOf(message));
  return hash.digest('hex');
}

function digestOf(message: Message): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(message)).digest('base64');
  digests.set(message, digest);
  return digest;
}

/** The content-hash id of an artifact of this kind and body. */
export function artifactIdOf(kind: string, body: string): ArtifactId {
  return createHash('sha256').update(kind).update('\u0000').update(body).digest('hex').slice(0, 32) as ArtifactId;
}
