import type { Body, EntryKind, Json, Message, ToolOutput } from '@palimpsest/contracts';

/** What of an entry is for reading, from its stored body. Opaque parts, images and data that the model is not shown are not. */
export function entryText(kind: EntryKind, json: string): string {
  if (kind !== 'message' && kind !== 'custom' && kind !== 'compaction' && kind !== 'branch-summary') return '';
  const body = { kind, ...(JSON.parse(json) as object) } as Body;
  if (body.kind === 'message') return body.message.content.map(partText).filter(Boolean).join('\n');
  if (body.kind === 'custom') return body.shown ?? '';
  if (body.kind === 'branch-summary') return body.summary;
  if (body.kind !== 'compaction') return '';
  return body.segments
    .flatMap((segment) => (segment.show === 'summary' && 'inline' in segment.text ? [segment.text.inline] : []))
    .join('\n');
}

function partText(part: Message['content'][number]): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text;
  if (part.type === 'tool-call') return `${part.toolName} ${strings(part.input).join('\n')}`;
  return part.type === 'tool-result' ? outputText(part.output) : '';
}

function outputText(output: ToolOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'content') return output.value.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
  return strings(output.value).join('\n');
}

/** Every key and every leaf. */
function strings(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(strings);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
}
