/** Files of a project that uses the packages, as its owner would write them. */

export const CONFIG = `plugins: [palimpsest-engine-turn-diary]
context:
  engine: turn-diary
  engines:
    turn-diary: { keep_turns: 2 }
`;

/** A plain script: the runtime, an engine that it registers, and a model that is scripted. */
export const HOST_SCRIPT = `import { createRuntime } from '@palimpsest/runtime';
import turnDiary from 'palimpsest-engine-turn-diary';
import { defineContextEngine, everything } from '@palimpsest/plugin-kit';

const config = { plugins: [], models: { scripted: { provider: 'scripted', script: [{ text: 'Yes.' }] } }, agent: { model: 'scripted' } };
const answers = [];
for (const engine of [turnDiary, defineContextEngine({ name: 'all-of-it', version: '1.0.0', create: () => ({ plan: everything }) })]) {
  const runtime = await createRuntime({ config: { ...config, context: { engine: engine.manifest.name } } });
  runtime.registerContextEngine(engine);
  const session = await runtime.openSession();
  const { text, ended } = await session.send('Hello?').result;
  answers.push({ text, ended, engine: (await session.status()).engine });
  await session.close();
  await runtime.close();
}
console.log(JSON.stringify(answers));
`;

/** The same in TypeScript, and more of it. */
export const HOST_TYPES = `import { createRuntime, type EngineDefinition, type HostTool, type StreamPart } from '@palimpsest/runtime';
import { openPlugin } from '@palimpsest/runtime/authoring';
import { openSessions } from '@palimpsest/runtime/sessions';
import { checkEngine, type ConformanceReport } from '@palimpsest/conformance';
import { isPalimpsestError } from '@palimpsest/contracts/plain';
import { defineContextEngine, everything, type CompactOutcome } from '@palimpsest/plugin-kit';
import turnDiary from 'palimpsest-engine-turn-diary';
import { z } from 'zod';

const engine: EngineDefinition = defineContextEngine({
  name: 'typed', version: '1.0.0', options: z.strictObject({ keep: z.int().default(3) }),
  create: (host) => ({ plan: everything, compact: async (): Promise<CompactOutcome> => ({ kind: 'irreducible', floorTokens: host.options.keep, parts: {}, advice: [] }) }),
});
const clock: HostTool = { name: 'time', description: 'The time.', inputSchema: { type: 'object' }, run: () => Promise.resolve('noon') };
const runtime = await createRuntime({ plugins: [engine, turnDiary], tools: [clock] });
const session = await runtime.openSession({ id: 'typed' });
try {
  const parts: StreamPart[] = [];
  for await (const part of session.send('Hello')) parts.push(part);
  const report: ConformanceReport = await checkEngine(engine, { groups: ['shape'] });
  console.log(report.checks.length, openSessions, openPlugin);
} catch (error) {
  if (isPalimpsestError(error)) console.error(error.code, error.hint);
}
// @ts-expect-error an id is a text
await runtime.openSession({ id: 1 });
`;

/** The strictest of what users have. Without `skipLibCheck` the packages' own declarations are checked, too. */
export function tsconfig(files: readonly string[], { skipLibCheck }: { readonly skipLibCheck: boolean }): string {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck,
    noEmit: true,
    types: [],
  };
  return JSON.stringify({ compilerOptions, files });
}

/** The files that a page of documentation tells its reader to write, by name. */
export function filesOfPage(page: string): ReadonlyMap<string, string> {
  return new Map(
    [...page.matchAll(/^<!-- file: (?<name>\S+) -->\n\x60{3}\w+\n(?<text>[\s\S]*?)^\x60{3}$/gmu)].map(({ groups }) => [
      groups?.['name'] ?? '',
      groups?.['text'] ?? '',
    ]),
  );
}
