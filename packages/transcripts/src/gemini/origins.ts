/** Whose words a text in role user is. */
import type { UserPart } from '@palimpsest/contracts';
import type { UserOrigin } from '../transcript.ts';

export const isSnapshot = (text: string): boolean => text.includes('<state_snapshot>');
/** The environment as the client puts it in front of a conversation. */
export const isSetup = (text: string): boolean =>
  /^\s*(?:This is the Gemini CLI\. We are setting up the context|<session_context>)/u.test(text);

export function originOf(content: readonly UserPart[]): UserOrigin {
  const first = content.find((part) => part.type === 'text');
  if (first === undefined) return 'user_input';
  if (/^\s*System: Please continue\.\s*$/u.test(first.text)) return 'continuation';
  return isSetup(first.text) ? 'notice' : 'user_input';
}
