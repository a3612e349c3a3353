import type { Json, ToolOutput } from '@palimpsest/contracts';

/** A tool's output as plain text. Pictures and files are named by their media type, not shown. Pure. */
export function outputText(output: ToolOutput): string {
  if (output.type !== 'content') return jsonText(output.value);
  return output.value.map((item) => (item.type === 'text' ? item.text : `[${item.mediaType}]`)).join('\n');
}

function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
