/** A session to read: a heading for each turn, calls and results folded away. */
import type { MessageBody } from '@palimpsest/contracts';
import {
  exchanges,
  failed,
  outputText,
  placeholder,
  type Called,
  type Exchange,
  type ExportOptions,
  type PathEntries,
} from './exchanges.ts';

export interface MarkdownExportOptions extends ExportOptions {
  readonly title?: string;
}

export async function* exportMarkdown(entries: PathEntries, options: MarkdownExportOptions = {}): AsyncGenerator<string> {
  yield `# ${oneLine(options.title ?? 'Session')}\n`;
  let turn = 0;
  let isReplying = false;
  for await (const exchange of exchanges(entries, options)) {
    if (exchange.by === 'user') {
      if (exchange.origin === 'user_input') turn++;
      yield `\n## ${headingOf(exchange.origin, turn)}\n\n${userText(exchange)}\n`;
    } else yield `${isReplying ? '' : '\n### Assistant\n'}${replyText(exchange)}`;
    isReplying = exchange.by === 'model';
  }
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim() || 'Session';

const names = new Map<MessageBody['origin'], string>([
  ['continuation', 'Continuation'],
  ['notice', 'Notice'],
  ['observation', 'Observation'],
  ['handoff', 'Summary of earlier turns'],
]);
const headingOf = (origin: MessageBody['origin'], turn: number): string => names.get(origin) ?? `Turn ${String(turn)}`;

const userText = ({ parts }: Exchange & { by: 'user' }): string =>
  parts.map((part) => (part.type === 'text' ? part.text : placeholder(part))).join('\n\n');

function replyText({ said, calls }: Exchange & { by: 'model' }): string {
  const texts = said.map((part) => {
    if (part.type === 'text') return `\n${part.text}\n`;
    return part.type === 'file' ? `\n${placeholder(part)}\n` : `\n${folded('Reasoning', fenced(part.text, ''))}\n`;
  });
  return [...texts, ...calls.map(callText)].join('');
}

function callText({ name, input, output }: Called): string {
  const result = `${failed(output) ? 'Failed' : 'Result'}:\n\n${fenced(outputText(output), '')}`;
  return `\n${folded(`Tool: ${escaped(name)}`, `${fenced(JSON.stringify(input, null, 2), 'json')}\n\n${result}`)}\n`;
}

const folded = (summary: string, body: string): string => `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A fence is longer than any within. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
