import { outputText, type Message, type Placed } from '@palimpsest/plugin-kit';

/** Deeds that a line tells one by one; of older ones it tells how many. */
const MOST_DEEDS = 6;
const MOST_CHARACTERS = 60;

/** What was done between two inputs of the user. */
export interface Work {
  /** Tool calls. */
  readonly calls: number;
  /** One for each of the newest calls: what was called with what, and how the answer began. */
  readonly deeds: readonly string[];
  /** How the newest answer to the user began. */
  readonly said: string;
}

type Content = Message['content'][number];

/** Pure. */
export function workOf(placed: readonly Placed[]): Work {
  const parts = placed.flatMap(({ entry }): readonly Content[] =>
    entry.kind === 'message' && entry.hidden !== true && entry.message.role !== 'user' ? entry.message.content : [],
  );
  const answers = new Map(
    parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, outputText(part.output)] as const] : [])),
  );
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return {
    calls: calls.length,
    deeds: calls
      .slice(-MOST_DEEDS)
      .map(
        ({ toolCallId, toolName, input }) =>
          `${toolName} ${clipped(argumentOf(input))} → ${clipped(answers.get(toolCallId) ?? 'no answer')}`,
      ),
    said: clipped(parts.findLast((part) => part.type === 'text')?.text ?? ''),
  };
}

/** The work of two neighbours, oldest first. Pure. */
export function together(first: Work, second: Work): Work {
  return {
    calls: first.calls + second.calls,
    deeds: [...first.deeds, ...second.deeds].slice(-MOST_DEEDS),
    said: second.said === '' ? first.said : second.said,
  };
}

/** The one line of a diary. Pure. */
export function lineOf({ calls, deeds, said }: Work): string {
  const before = calls > deeds.length ? `${String(calls - deeds.length)} calls; ` : '';
  const done = calls === 0 ? '' : `Done: ${before}${deeds.join('; ')}. `;
  return `${done}${said === '' ? '' : `Said: ${said}`}`.trim();
}

/** The one argument that says most: a single value, or the whole as JSON. */
function argumentOf(input: unknown): string {
  const values: readonly unknown[] = typeof input === 'object' && input !== null ? Object.values(input) : [input];
  const [only] = values.length === 1 ? values : [];
  return typeof only === 'string' ? only : JSON.stringify(input);
}

/** One line, cut between characters. */
function clipped(text: string): string {
  const line = text
    .slice(0, MOST_CHARACTERS * 4)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  const characters = [...line];
  return characters.length <= MOST_CHARACTERS ? line : `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
