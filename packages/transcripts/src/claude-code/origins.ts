/** Whose words a user text is: role user does not mean user. First row that fits wins. */
import type { InputKind, UserOrigin } from '../transcript.ts';

export interface Told {
  readonly origin: UserOrigin | 'handoff';
  readonly by?: InputKind;
}
interface Row extends Told {
  readonly begins: string;
}

const rows: readonly Row[] = [
  { begins: '[Request interrupted by user', origin: 'notice' },
  // A prompt command is the user's request; a local one is an echo.
  { begins: '<command-message>', origin: 'user_input', by: 'command' },
  ...['<command-name>', '<bash-input>', '<local-command-caveat>', '<user-memory-input>'].map((begins): Row => ({
    begins,
    origin: 'notice',
  })),
  ...['<local-command-stdout>', '<local-command-stderr>', '<bash-stdout>', '<bash-stderr>'].map((begins): Row => ({
    begins,
    origin: 'observation',
  })),
  ...['<task-notification>', '<agent-notification>', '<teammate-message'].map((begins): Row => ({ begins, origin: 'observation' })),
  { begins: 'Operation stopped by hook:', origin: 'notice' },
  // Old versions wrote the summary of a compaction without its flag.
  { begins: 'This session is being continued from a previous conversation', origin: 'handoff' },
];

/** Null: nothing speaks against typed text. */
export const tellText = (text: string): Told | null => rows.find((row) => text.startsWith(row.begins)) ?? null;

/** Queued text that is a bare command of the client. */
export const isBareCommand = (text: string): boolean => /^\/[^\s/]+$/u.test(text.trim());

/** Attachments by type; what is not here is hidden. `queued_command` depends on who queued it. */
export const attachmentOrigins: ReadonlyMap<string, UserOrigin> = new Map(
  [
    'file',
    'directory',
    'edited_text_file',
    'nested_memory',
    'invoked_skills',
    'plan_file_reference',
    'hook_additional_context',
    'selected_lines_in_ide',
  ].map((type) => [type, 'notice'] as const),
);
