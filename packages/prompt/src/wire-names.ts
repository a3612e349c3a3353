import { createHash } from 'node:crypto';

const legalId = /^[A-Za-z0-9_-]{1,40}$/u;
const illegalInName = /[^A-Za-z0-9_-]/gu;

/**
 * A call id that every wire takes (letters, digits, `_`, `-`, at most 40): the id itself where it already is one, else a hash of it,
 * so that a call and its result still agree. Ids of other clients run to 450 characters.
 */
export function wireCallId(id: string): string {
  return legalId.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

/** A tool name that every wire takes (the same alphabet, at most 64). */
export function wireToolName(name: string): string {
  const legal = name.replace(illegalInName, '_').slice(0, 64);
  return legal === '' ? '_' : legal;
}
