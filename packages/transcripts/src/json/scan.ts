/** Finding where a JSON value ends, without parsing it. Works on text that may be cut off or broken. */
const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  OPEN_ARRAY = 0x5b,
  CLOSE_ARRAY = 0x5d,
  OPEN_OBJECT = 0x7b,
  CLOSE_OBJECT = 0x7d,
  COMMA = 0x2c;

/** Position behind the string that begins at `start`; -1: it never closes. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return -1;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH && quote - 1 - slashes > start) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Position behind the object or array that begins at `start`; -1: it never closes. */
function containerEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
    else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --depth === 0) return at + 1;
  }
  return -1;
}

/** Position behind the value that begins at `start` (no white space before it); -1: it never closes. */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return containerEnd(text, start);
  let at = start;
  while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++;
  return at;
}

const isDelimiter = (code: number): boolean => code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 0x20;

/** JSON's white space, and NUL bytes: crashes leave runs of them between records. */
export function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length && (text.charCodeAt(at) === 0 || ' \t\r\n'.includes(text[at] ?? 'x'))) at++;
  return at;
}
