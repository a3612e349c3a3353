/** What the first bytes say before anything is parsed (§3 rows 1 to 3, RD-1, RD-2). */
import { refused, type Verdict } from './verdict.ts';

/** Databases tell by the table definitions on their first page. */
function databaseOf(head: Buffer): string {
  const page = head.toString('latin1');
  if (page.includes('content_json')) return 'A Goose database';
  if (/create table [`"']?part\b/iu.test(page)) return 'An OpenCode database';
  if (page.includes('tool_calls')) return 'A Hermes database';
  return 'A SQLite database';
}

const starts = (head: Buffer, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);

/** Null: text, as far as can be seen. */
export function detectBytes(head: Buffer): Verdict | null {
  if (head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return refused(databaseOf(head));
  if (starts(head, 0xff, 0xfe) || starts(head, 0xfe, 0xff)) return { refused: 'UTF-16 text is recognised, and only UTF-8 is read' };
  if (/^# aider chat started at \d/mu.test(head.subarray(0, 4096).toString('latin1'))) return refused('An Aider chat history');
  return null;
}
