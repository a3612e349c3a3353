/** For tests: records by hand, and readings that are checked as they are made. */
import { expect } from 'vitest';
import type { ReadOptions } from '../src/index.ts';
import { faultIn, readWhole, Scratch, type Reading, type SessionReading } from './reading.ts';

export const scratch = new Scratch();
export const lines = (...values: unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
export const read = async (content: string | Uint8Array, options: ReadOptions = {}): Promise<Reading> => {
  const reading = await readWhole(scratch.write(content), options);
  for (const session of reading.sessions) expect(faultIn(session)).toBeNull();
  return reading;
};
export const one = async (content: string, options: ReadOptions = {}): Promise<SessionReading> =>
  (await read(content, options)).sessions[0] as SessionReading;
export const stamp = { timestamp: '2026-01-01T00:00:00.000Z' };
export const pi = (id: string, parentId: string | null, message: unknown): unknown => ({
  type: 'message',
  id,
  parentId,
  ...stamp,
  message,
});
export const said = (content: unknown): unknown => ({ role: 'user', content });
export const header = (id: string): unknown => ({ type: 'session', version: 3, id, ...stamp });
let uuids = 0;
export const claude = (type: string, body: object, extra: object = {}): unknown => ({
  type,
  uuid: `x${String(++uuids)}`,
  parentUuid: null,
  sessionId: 's',
  ...stamp,
  ...body,
  ...extra,
});
export const user = (content: unknown, extra: object = {}): unknown => claude('user', { message: { role: 'user', content } }, extra);
export const part = (id: string, ...content: unknown[]): unknown => claude('assistant', { message: { id, role: 'assistant', content } });
export const use = (id: string): unknown => ({ type: 'tool_use', id, name: 'Bash', input: { id } });
export const result = (id: string, content: unknown, extra: object = {}): unknown =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...extra }]);
