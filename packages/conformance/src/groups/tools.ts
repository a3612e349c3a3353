/** Group shape: what an engine offers to the model. */
import { messageOf } from '@palimpsest/contracts';
import type { EngineTool, Json } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import { Late } from '../patience.ts';
import type { Fault } from '../report.ts';

/** Of one answer; twice as much is taken for a matter of counting. */
const MAX_TOKENS = 500;
/** Whatever the model hands in. */
const INPUTS: readonly Json[] = [{}, null, { nonsense: true }, 'text', [1]];

export const tools: readonly Check[] = [
  {
    group: 'shape',
    name: 'tools have names, descriptions and schemas, and answer with text',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(2));
      const offered = lab.spy.watched.at(-1)?.tools ?? [];
      if (offered.length === 0) return 'skipped';
      const found: Fault[] = [];
      for (const tool of offered) {
        if (!/^[A-Za-z0-9_-]{1,64}$/u.test(tool.name) || tool.description.trim() === '' || !isObjectSchema(tool.inputSchema))
          found.push(
            fault('tools', 'tool-invalid', `${tool.name}: a name that every wire takes, a description and an object schema are needed`),
          );
        for (const input of INPUTS) found.push(...(await answered(session, tool, input)));
      }
      return found;
    },
  },
];

function isObjectSchema(schema: Json): boolean {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && schema['type'] === 'object';
}

/** With a sentence, never with a throw. */
async function answered(session: LabSession, { name, run }: EngineTool, input: Json): Promise<readonly Fault[]> {
  const method = `tools.${name}`;
  try {
    const answer: unknown = await run(input, {
      branch: session.kit.journal.branch(),
      maxTokens: MAX_TOKENS,
      signal: new AbortController().signal,
    });
    if (typeof answer !== 'string') return [fault(method, 'tool-answer-invalid', 'it answers with something that is no text')];
    const tokens = session.blockTokens(answer);
    return tokens <= 2 * MAX_TOKENS
      ? []
      : [
          fault(
            method,
            'tool-answer-too-long',
            `asked for ${String(MAX_TOKENS)} tokens at most, it answers ${String(tokens)}: the model sees the beginning only`,
          ),
        ];
  } catch (error) {
    return [
      error instanceof Late ? fault(method, 'deadline', 'it does not answer in time') : fault(method, 'tool-throws', messageOf(error)),
    ];
  }
}
