/** Claude Code: one record a line, no header. A file is one session. */
import type { Format } from '../formats.ts';
import { has, nameOf, type JsonObject } from '../json/values.ts';
import { ClaudeReader, NOTHING_KNOWN } from './reader.ts';
import { recordTable } from './records.ts';
import { ClaudeScout } from './scout.ts';

export const claudeCode: Format = {
  name: 'claude-code',
  position: 'line',
  isRecord: isClaudeRecord,
  startsSession: () => false,
  kindOf,
  scout: (tree) => new ClaudeScout(tree),
  reader: () => new ClaudeReader(NOTHING_KNOWN),
};

/** Turns of sub-agents stand whole inside `progress` records: without a link of their own they are no records. */
function isClaudeRecord(value: JsonObject): boolean {
  const type = nameOf(value['type']) ?? '';
  if (!recordTable.has(type)) return false;
  if (type === 'user' || type === 'assistant') return has(value, 'parentUuid') || has(value, 'sessionId');
  return ['timestamp', 'uuid', 'id', 'sessionId'].some((key) => has(value, key));
}

function kindOf(value: JsonObject): string {
  const type = nameOf(value['type']) ?? '?';
  const detail = type === 'system' ? nameOf(value['subtype']) : type === 'queue-operation' ? nameOf(value['operation']) : null;
  return detail === null ? type : `${type}/${detail}`;
}
