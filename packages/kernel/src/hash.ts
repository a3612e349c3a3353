import { hash } from 'node:crypto';
import type { ArtifactId, Message, ModelRequest } from '@palimpsest/contracts';

/** Messages belong to the log and nobody writes to them, so that each is serialised once, however many requests it is part of. */
const digests = new WeakMap<Message, string>();

/** Of requests that were handed out, which nobody writes to any more. */
const hashes = new WeakMap<ModelRequest, string>();

/** sha256 over route, system text, tools, settings and the digest of each message, hexadecimal: what a step records and `why` verifies. */
export function hashOf(request: ModelRequest): string {
  const known = hashes.get(request);
  if (known !== undefined) return known;
  const hash = beginningHashOf(request, { messages: request.messages.length, settings: request.settings }) ?? '';
  if (Object.isFrozen(request)) hashes.set(request, hash);
  return hash;
}

/** The hash of its beginning as an earlier request: its first `messages` messages under that one's settings. Null: it has fewer. */
export function beginningHashOf(
  { route, system, tools, messages }: ModelRequest,
  earlier: { readonly messages: number; readonly settings: unknown },
): string | null {
  if (messages.length < earlier.messages) return null;
  let hashed = JSON.stringify({ route, system, tools, settings: earlier.settings });
  for (let at = 0; at < earlier.messages; at += 1) hashed += digestOf(messages[at] as Message);
  return hash('sha256', hashed, 'hex');
}

function digestOf(message: Message): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const digest = hash('sha256', JSON.stringify(message), 'base64');
  digests.set(message, digest);
  return digest;
}

/** The content-hash id of an artifact of this kind and body. */
export function artifactIdOf(kind: string, body: string): ArtifactId {
  return hash('sha256', `${kind}\u0000${body}`, 'hex').slice(0, 32) as ArtifactId;
}
