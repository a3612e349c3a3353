import type { Entry } from '@palimpsest/contracts';
import { outputText } from '@palimpsest/plugin-kit';

/** An entry as a reader sees it: one headed block of text. Pictures and files are named, not shown. */
export function entryText(entry: Entry): string {
  return `--- entry ${entry.id} (${String(entry.seq)}), ${labelOf(entry)}, ${entry.time}\n${bodyOf(entry)}`;
}

function labelOf(entry: Entry): string {
  return entry.kind === 'message' ? `${entry.message.role}, ${entry.origin}` : entry.kind;
}

function bodyOf(entry: Entry): string {
  if (entry.kind === 'custom') return entry.shown ?? '';
  if (entry.kind === 'branch-summary') return entry.summary;
  if (entry.kind !== 'message') return '';
  return entry.message.content
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

type Part = Extract<Entry, { kind: 'message' }>['message']['content'][number];

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `call ${part.toolName} ${JSON.stringify(part.input)}`;
    case 'tool-result':
      return `result of ${part.toolName}: ${outputText(part.output)}`;
    case 'opaque':
      return '';
    case 'image':
    case 'file':
      return `[${part.type} ${part.mediaType ?? ''}]`;
  }
}
