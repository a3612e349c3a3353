import { writeFile } from 'node:fs/promises';

interface Shape {
  readonly turns: number;
  readonly callsEach?: number;
  readonly resultCharacters?: number;
}

/** A generated session file in pi's format: each turn asks, calls tools, and answers. */
export async function writePiFile(
  file: string,
  { turns, callsEach = 2, resultCharacters = 400 }: Shape,
): Promise<{ readonly requests: number; readonly messages: number }> {
  const time = '2026-01-01T00:00:00.000Z';
  const message = (value: object): object => ({ type: 'message', timestamp: time, message: { ...value, timestamp: 1 } });
  const lines: object[] = [
    {
      type: 'session',
      id: '00000000-0000-4000-8000-000000000000',
      timestamp: time,
      cwd: '/project',
      provider: 'anthropic',
      modelId: 'm',
      thinkingLevel: 'off',
    },
  ];
  for (let turn = 0; turn < turns; turn += 1) {
    lines.push(
      message({ role: 'user', content: [{ type: 'text', text: `Question ${String(turn)}: what does file ${String(turn * 7)} say?` }] }),
    );
    const ids = Array.from({ length: callsEach }, (_, call) => `call-${String(turn)}-${String(call)}`);
    if (callsEach > 0)
      lines.push(
        message({
          role: 'assistant',
          content: ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: { path: `src/${id}.ts` } })),
          stopReason: 'toolUse',
        }),
      );
    for (const id of ids)
      lines.push(
        message({
          role: 'toolResult',
          toolCallId: id,
          toolName: 'read',
          content: [{ type: 'text', text: `${id} `.repeat(Math.ceil(resultCharacters / (id.length + 1))) }],
          isError: false,
        }),
      );
    lines.push(message({ role: 'assistant', content: [{ type: 'text', text: `Answer ${String(turn)}.` }], stopReason: 'stop' }));
  }
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { requests: turns * (callsEach > 0 ? 2 : 1), messages: lines.length - 1 };
}
