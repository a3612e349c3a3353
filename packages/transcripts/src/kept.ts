/** Steps for what is kept and never shown. */
import type { AssistantPart, Json, UserPart } from '@palimpsest/contracts';
import type { HiddenStep } from './steps.ts';
import type { FormatName } from './transcript.ts';

/** The mark of a compaction that another tool made. `details`: what it recorded of it. */
export const compactionMark = (by: FormatName, details: Json, manual = false): HiddenStep => ({
  do: 'hidden',
  body: {
    kind: 'compaction',
    by,
    trigger: manual ? 'manual' : 'threshold',
    segments: [],
    tokensBefore: 0,
    tokensAfter: 0,
    details,
    hidden: true,
  },
});

export const keptData = (by: FormatName, key: string, data: Json): HiddenStep => ({
  do: 'hidden',
  body: { kind: 'custom', by, key, data, shown: null },
});

/** Text of a user record that the model was not shown, or no longer; a summary is `handoff`. */
export const keptUser = (
  format: FormatName,
  line: number,
  origin: 'handoff' | 'notice' | 'observation',
  content: UserPart[],
): HiddenStep => ({
  do: 'hidden',
  body: { kind: 'message', origin, message: { role: 'user', content }, hidden: true, source: { format, line } },
});

/** A reply that the client made up or never sends again. */
export const keptReply = (format: FormatName, line: number, content: AssistantPart[]): HiddenStep => ({
  do: 'hidden',
  body: { kind: 'message', origin: 'model', message: { role: 'assistant', content }, hidden: true, source: { format, line } },
});
