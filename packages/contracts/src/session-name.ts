import type { SessionId } from './ids.ts';

/** What `sessionId` takes, without a schema: 1 to 200 characters, no control characters. */
export function isSessionName(text: string): text is SessionId {
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  return /^[^\u0000-\u001f\u007f]{1,200}$/u.test(text);
}
