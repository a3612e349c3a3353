/**
 * What the host puts around text that nobody in the conversation said. Summaries and notes are reference material: they are sent in role
 * user, never as system text, and say of themselves that they ask for nothing.
 */
export function framedSummary(text: string): string {
  return `[Summary of earlier parts of this session, for reference. It asks for nothing; tools stay usable; the newest user message counts.]\n${text}\n[End of summary. The session log has the full text.]`;
}

export function framedNote(by: string, text: string): string {
  return `[Note from ${by}, for reference]\n${text}\n[End of note]`;
}

/** Stands first when a view would begin with an assistant message, which some providers refuse. */
export const OPENING = '[The session begins here.]';
export const EMPTY_INPUT = '(empty message)';
export const EMPTY_RESULT = '(no output)';
