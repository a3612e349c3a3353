/** What the first bytes say before anything is parsed: a database, another encoding, a chat history of another kind. */
import { refused, type Verdict } from './verdict.ts';

/** There is no database library here, and the tools export by themselves. */
const unread = (what: string, command: string): string =>
  `${what} is recognised, and databases are not read; export the session: ${command}`;

/** Databases tell by the table definitions on their first page. */
function databaseOf(head: Buffer): string {
  const page = head.toString('latin1');
  if (page.includes('content_json'))
    return unread('A Goose database', 'goose session export --format json --session-id <id> --output session.json');
  if (/create table (?:if not exists )?[`"']?part\b/iu.test(page))
    return unread('An OpenCode database', 'opencode export <session id> > session.json');
  if (page.includes('tool_calls')) return unread('A Hermes database', 'hermes sessions export sessions.jsonl');
  return 'A SQLite database is recognised, and none of a tool that is known; databases are not read';
}

const starts = (head: Buffer, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);

/** Null: text, as far as can be seen. */
export function detectBytes(head: Buffer): Verdict | null {
  if (head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return { refused: databaseOf(head) };
  if (starts(head, 0xff, 0xfe) || starts(head, 0xfe, 0xff)) return { refused: 'UTF-16 text is recognised, and only UTF-8 is read' };
  if (/^# aider chat started at \d/mu.test(head.subarray(0, 4096).toString('latin1'))) return refused('An Aider chat history');
  return null;
}
