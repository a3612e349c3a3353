import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A generated session in pi's format: turns of a question, one read of `characters` characters, an answer. */
export async function piFile(folder: string, name: string, turns: number, characters = 100): Promise<string> {
  const file = join(folder, name);
  const message = (value: object): string => JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: value });
  const lines = [JSON.stringify({ type: 'session', id: name, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' })];
  for (let turn = 0; turn < turns; turn += 1) {
    lines.push(message({ role: 'user', content: [{ type: 'text', text: `Question ${String(turn)}` }] }));
    lines.push(
      message({
        role: 'assistant',
        content: [{ type: 'toolCall', id: `c${String(turn)}`, name: 'read', arguments: { path: 'a' } }],
        stopReason: 'toolUse',
      }),
    );
    lines.push(
      message({
        role: 'toolResult',
        toolCallId: `c${String(turn)}`,
        toolName: 'read',
        content: [{ type: 'text', text: `${String(turn)} `.repeat(characters / 2) }],
        isError: false,
      }),
    );
    lines.push(message({ role: 'assistant', content: [{ type: 'text', text: `Answer ${String(turn)}` }], stopReason: 'stop' }));
  }
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}
