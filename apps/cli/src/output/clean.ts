import { inert } from '@palimpsest/contracts/plain';

/** Text of others for a terminal. Line breaks and tabs stay; of a line break in two characters, the second. The same for a text in pieces that are not cut inside a line break. */
export function clean(text: string): string {
  return inert(text.replaceAll('\r\n', '\n'));
}

/** The same for a cell or a line of its own: line breaks and tabs are blanks. */
export function cleanLine(text: string): string {
  return inert(text.replace(/\r\n|[\n\t\u2028\u2029\u0085]/gu, ' '));
}
