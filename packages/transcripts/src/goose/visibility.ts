/** Newer versions record no compaction: messages turn invisible to the model, and a summary only it can see follows. */
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';

export type Role = 'plain' | 'summary' | 'order' | 'agent-only' | 'screen-only';
/** What is known of a message when the walk is over. */
export interface Seen {
  readonly isUser: boolean;
  readonly forUser: boolean;
  readonly forAgent: boolean;
}

export function seenOf(message: JsonObject): Seen {
  const { userVisible, agentVisible } = objectOf(message['metadata']) ?? {};
  return { isUser: message['role'] === 'user', forUser: userVisible !== false, forAgent: agentVisible !== false };
}
export const isMessage = (value: JsonObject): boolean =>
  nameOf(value['role']) !== null && (listOf(value['content']) !== null || typeof value['content'] === 'string');

/**
 * A summary is for the model alone and stands behind a run of messages that it no longer sees; everything before it is out of its
 * sight. What follows it for the model alone is the order to go on.
 */
export function rolesOf(messages: readonly Seen[]): Role[] {
  const roles: Role[] = [];
  const blindUntil = firstSeen(messages);
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const behindRun = before !== undefined && !before.forAgent && before.forUser && index <= blindUntil;
    const behindSummary = roles[index - 1] === 'summary' || roles[index - 1] === 'order';
    if (message.forUser) roles.push('plain');
    else if (message.isUser && behindRun) roles.push('summary');
    else roles.push(behindSummary ? 'order' : 'agent-only');
  }
  const last = roles.lastIndexOf('summary');
  return roles.map((role, index) => (role === 'plain' && messages[index]?.forAgent === false && index > last ? 'screen-only' : role));
}

/** The first message that the model still sees. */
const firstSeen = (messages: readonly Seen[]): number => {
  const at = messages.findIndex((one) => one.forAgent);
  return at === -1 ? messages.length : at;
};
