import type { Fault } from '../faults.ts';

/** Where a text stops being JSON; null: it is JSON, or the parser does not say where. The parser's own words are not repeated: they quote the text. */
export function jsonFault(text: string, file: string): Fault | null {
  const body = text.replace(/^\uFEFF/u, '');
  try {
    JSON.parse(body);
    return null;
  } catch (thrown) {
    const offset = thrown instanceof SyntaxError ? offsetOf(thrown.message, body) : null;
    if (offset === null) return null;
    const before = body.slice(0, offset).split('\n');
    return {
      at: { file, line: before.length, column: String(before.at(-1)).length + 1 },
      path: '',
      problem: 'this is no JSON from here on',
      near: null,
    };
  }
}

function offsetOf(message: string, body: string): number | null {
  const [, position] = /at position (\d+)/u.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  return message.includes('end of JSON input') ? body.length : null;
}
