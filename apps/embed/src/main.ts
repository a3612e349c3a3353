import { createRuntime, type HostTool } from '@palimpsest/runtime';

/** A tool of the host's own. */
const clock: HostTool = {
  name: 'time',
  description: 'The time of day, UTC.',
  inputSchema: { type: 'object', properties: {} },
  run: () => Promise.resolve(new Date().toISOString()),
};

/** A model that is scripted in the configuration: replace it by any provider and this host stays as it is. */
const config = {
  models: {
    scripted: { provider: 'scripted', script: [{ tool_calls: [{ name: 'time', input: {} }] }, { text: 'The day is still young.' }] },
  },
  agent: { model: 'scripted' },
};

const runtime = await createRuntime({ config, tools: [clock] });
const session = await runtime.openSession();
const turn = session.send(process.argv[2] ?? 'What time is it?');
for await (const part of turn) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
}
const { ended, steps } = await turn.result;
process.stdout.write(`\n[${ended} after ${String(steps)} steps]\n`);
await session.close();
await runtime.close();
