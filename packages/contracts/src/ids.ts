import { z } from 'zod';

/** Names one entry; unique within a store. Minted by the writer through the injected id source, never by the log. */
export const entryId = z.string().min(1).brand<'entry'>();
export type EntryId = z.infer<typeof entryId>;

/** Content hash of kind and body (`sha256`, 32 hex digits): equal bodies of one kind are one artifact, and a draft can name its id before it is written. */
export const artifactId = z.string().min(1).brand<'artifact'>();
export type ArtifactId = z.infer<typeof artifactId>;

// eslint-disable-next-line no-control-regex -- control characters are what is refused
const PRINTABLE = /^[^\u0000-\u001f\u007f]+$/u;

/** Names one session within a store. Chosen by the host or minted. At most 200 characters, no control characters. */
export const sessionId = z.string().min(1).max(200).regex(PRINTABLE).brand<'session'>();
export type SessionId = z.infer<typeof sessionId>;
