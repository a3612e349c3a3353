/** Whose words the texts of a user message are, block by block. */
import type { Told } from '../claude-code/origins.ts';
import { tellText } from '../claude-code/origins.ts';

type Kind = 'user_input' | 'continuation' | 'observation' | 'notice' | 'handoff';

/** Output of a tool as text, from before calls were native: the block behind it belongs to it. */
const RESULT = /^\[[a-z][\w-]*(?:\s[\s\S]*?)?\] Result:/u;
/** A person's answer inside the output of a tool. */
const ANSWERED = /^<(feedback|user_message|answer|user_input)\b[^>]*>[\s\S]*<\/\1>/mu;
/** Nothing but the head: what came out is the next block. */
const isBareHead = (text: string): boolean => RESULT.test(text) && text.trimEnd().endsWith('Result:');
const NOTICES = [
  /^\s*<(?:environment_details|mode_notice|system-reminder|explicit_instructions)\b/u,
  /^\s*# task_progress\b/u,
  /^\s*\[ERROR\] You did not use a tool/u,
  /^\s*\[+NOTE\]/u,
  /^\s*\[Response interrupted/u,
];
const SUMMARY = /^\s*(?:<(?:summary|context_summary)>|\[?(?:condensed context|context summary)\b|# Context Summary\b)/iu;
/** The text stands for the output of an earlier reading of a file. */
export const isRepeatNotice = (text: string): boolean => /\[NOTE\] This file read has been removed/u.test(text);

function kindOf(text: string, behindResult: boolean): Kind {
  if (/^\s*\[TASK RESUMPTION\]/u.test(text)) return 'continuation';
  if (NOTICES.some((pattern) => pattern.test(text))) return 'notice';
  if (SUMMARY.test(text) || tellText(text)?.origin === 'handoff') return 'handoff';
  if (RESULT.test(text) || behindResult) return ANSWERED.test(text) ? 'user_input' : 'observation';
  return 'user_input';
}

const RANK: readonly Kind[] = ['handoff', 'user_input', 'continuation', 'observation', 'notice'];

/** A request when one block is; else observation, else notice. Null: no text. */
export function tellTexts(texts: readonly string[]): Told | null {
  let behind = false;
  const kinds = texts.map((text) => {
    const kind = kindOf(text, behind);
    behind = isBareHead(text);
    return kind;
  });
  const origin = RANK.find((kind) => kinds.includes(kind));
  return origin === undefined ? null : { origin };
}
