/** Whose words a text in role user is. */
import type { UserPart } from '@palimpsest/contracts';
import type { UserOrigin } from '../transcript.ts';

const NOTICE =
  /^\s*(?:<environment_context>|<user_instructions>|# AGENTS\.md instructions for|<INSTRUCTIONS>|<skill>|<turn_aborted>|<additional_context>|<permissions instructions>|<collaboration_mode>)/u;
const OBSERVATION = /^\s*(?:<user_shell_command>|<subagent_notification>)/u;

export const textsOf = (content: readonly UserPart[]): string[] => content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

/** By what the text begins with; null: nothing marks it, so it is the user's. */
export function markedOrigin(content: readonly UserPart[]): UserOrigin | null {
  const [first = ''] = textsOf(content);
  if (OBSERVATION.test(first)) return 'observation';
  return NOTICE.test(first) ? 'notice' : null;
}
