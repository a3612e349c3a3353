/** Bytes that look random and are the same in every run. */
export function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0, state = 0x2545f491; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Files that are no session of any tool, each under what is wrong with it. */
export const badFiles: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['empty', ''],
  ['blank', ' \n\n\t\n'],
  ['zeros', Buffer.alloc(4_096)],
  ['random', noise(10_000)],
  ['random-line', Buffer.from(noise(100_000)).toString('base64')],
  ['numbers', '[1, 2, 3]'],
  ['number', '7'],
  ['text', 'hello\nworld\n'],
  ['torn-bytes', noise(10_001).subarray(1)],
  ['object', '{}'],
  ['null', 'null'],
  ['strange-lines', '{"a":1}\n{"b":2}\n'],
  ['torn', '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","con'],
  ['torn-list', '[{"role":"user","content":"hi"},{"ro'],
  ['deep', '['.repeat(200_000)],
  ['deep-object', '{"a":'.repeat(100_000)],
  ['half-a-gzip', Buffer.from('1f8b0800000000000003ab', 'hex')],
  ['utf16', Buffer.from('\ufeff{"type":"session"}\n', 'utf16le')],
  ['sqlite', Buffer.from('SQLite format 3\u0000rest')],
  ['empty-messages', '{"messages":[]}'],
  ['empty-list', '[]'],
  ['prototype', '{"__proto__":{"messages":[]}}'],
];
