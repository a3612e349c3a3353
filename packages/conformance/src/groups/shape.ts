import { ENGINE_CONTRACT_VERSION, engineManifest, type Json } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { Fault } from '../report.ts';
import { Late } from '../spy.ts';
import { workout } from '../workout.ts';

export const shape: readonly Check[] = [
  {
    group: 'shape', name: 'the manifest says what is true',
    run: ({ definition }: CheckContext): Promise<Found> => {
      const { manifest } = definition;
      const parsed = engineManifest.safeParse(manifest);
      const problems = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      if (parsed.success && !covers(manifest.contract)) problems.push(`contract ${manifest.contract} does not cover ${ENGINE_CONTRACT_VERSION}`);
      return Promise.resolve(problems.map((problem) => fault('manifest', 'manifest-invalid', problem)));
    },
  },
  {
    group: 'shape', name: 'options left out are the defaults, frozen',
    run: ({ definition }: CheckContext): Promise<Found> => {
      if (definition.parseOptions === undefined) return Promise.resolve('skipped');
      try {
        const options: unknown = definition.parseOptions(null);
        return Promise.resolve(Object.isFrozen(options) ? [] : [fault('parseOptions', 'options-not-frozen', 'the parsed options can be changed')]);
      } catch (error) {
        return Promise.resolve([fault('parseOptions', 'options-required', `an operator who writes nothing gets an error: ${String(error)}`)]);
      }
    },
  },
  {
    group: 'shape', name: 'every session has an engine object of its own',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      await lab.session();
      await lab.session();
      const [one, other] = lab.spy.engines;
      return one === other ? [fault('factory', 'shared-object', 'two sessions are given the same object')] : [];
    },
  },
  {
    group: 'shape', name: 'a plain conversation',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(12));
      await session.session.send('And now?').result.catch(() => undefined);
      return workout(session);
    },
  },
  {
    group: 'shape', name: 'tools have names, descriptions and schemas, and answer with text',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(2));
      const tools = lab.spy.watched.at(-1)?.tools ?? [];
      if (tools.length === 0) return 'skipped';
      const found: Fault[] = [];
      const names = tools.map(({ name }) => name);
      if (new Set(names).size < names.length) found.push(fault('tools', 'tool-name-taken', `two tools are called ${names.join(', ')}`));
      for (const { name, description, inputSchema, run } of tools) {
        if (!/^[A-Za-z0-9_-]{1,64}$/u.test(name) || description.trim() === '' || !isObjectSchema(inputSchema)) found.push(fault('tools', 'tool-invalid', `${name}: a name that every wire takes, a description and an object schema are needed`));
        for (const input of [{}, null, { nonsense: true }] as Json[]) found.push(...(await answered(name, () => run(input, { branch: session.kit.journal.branch(), maxTokens: MAX_TOKENS, signal: new AbortController().signal }), (text) => session.blockTokens(text))));
      }
      return found;
    },
  },
];

/** Of one answer; twice as much is taken for a matter of counting. */
const MAX_TOKENS = 500;

function covers(range: string): boolean {
  return /^\^?1\./u.test(range) && ENGINE_CONTRACT_VERSION.startsWith('1.');
}

function isObjectSchema(schema: Json): boolean {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && schema['type'] === 'object';
}

/** Whatever the model hands in is answered with a sentence, never with a throw. */
async function answered(name: string, run: () => Promise<string>, tokensOf: (text: string) => number): Promise<readonly Fault[]> {
  try {
    const answer: unknown = await run();
    if (typeof answer !== 'string') return [fault(`tools.${name}`, 'tool-answer-invalid', 'it answers with something that is no text')];
    const tokens = tokensOf(answer);
    return tokens <= 2 * MAX_TOKENS ? [] : [fault(`tools.${name}`, 'tool-answer-too-long', `asked for ${String(MAX_TOKENS)} tokens at most, it answers ${String(tokens)}: the model sees the beginning only`)];
  } catch (error) {
    return [error instanceof Late ? fault(`tools.${name}`, 'deadline', 'it does not answer in time') : fault(`tools.${name}`, 'tool-throws', String(error))];
  }
}
