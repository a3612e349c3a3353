/** A small recorded session in pi's format: each turn asks, reads a file, and answers. */
export function sessionFile(turns: number): string {
  const time = '2026-01-01T00:00:00.000Z';
  const message = (value: object): object => ({ type: 'message', timestamp: time, message: { ...value, timestamp: 1 } });
  const turn = (at: number): readonly object[] => [
    message({ role: 'user', content: [{ type: 'text', text: `Question ${String(at)}: what does the file say?` }] }),
    message({
      role: 'assistant',
      content: [{ type: 'toolCall', id: `c${String(at)}`, name: 'read', arguments: { path: `src/${String(at)}.ts` } }],
      stopReason: 'toolUse',
    }),
    message({
      role: 'toolResult',
      toolCallId: `c${String(at)}`,
      toolName: 'read',
      content: [{ type: 'text', text: `line ${String(at)} `.repeat(400) }],
      isError: false,
    }),
    message({ role: 'assistant', content: [{ type: 'text', text: `It says ${String(at)}.` }], stopReason: 'stop' }),
  ];
  const head = {
    type: 'session',
    id: '00000000-0000-4000-8000-000000000000',
    timestamp: time,
    cwd: '/project',
    provider: 'anthropic',
    modelId: 'm',
    thinkingLevel: 'off',
  };
  return [head, ...Array.from({ length: turns }, (_, at) => turn(at)).flat()].map((line) => `${JSON.stringify(line)}\n`).join('');
}
