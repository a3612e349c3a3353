import { z } from 'zod';
import { entryId, isSilent } from '@palimpsest/contracts';
import type { BranchReader, EngineHost, EngineTool, EntryId, Placed } from '@palimpsest/contracts';
import { entryText } from './entry-text.ts';
import { parsedInput } from './input.ts';

const schema = z.strictObject({
  id: entryId.describe("The id in a node's first line, or of any entry: then only that entry."),
  from: entryId.optional().describe('Go on at this entry: the cursor of an answer that was cut.'),
});

/** Shows the entries that a node stands for, oldest first, as many as fit. */
export function expandTool(host: Pick<EngineHost, 'tokens'>): EngineTool {
  return {
    name: 'lcm_expand',
    description: 'Show the full text of what a summary node stands for, or of one entry.',
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as EngineTool['inputSchema'],
    run: async (input, { branch, maxTokens }) => {
      const asked = parsedInput(schema, input);
      if ('problem' in asked) return asked.problem;
      const { id, from } = asked.value;
      const entries = await stretchOf(branch, id);
      if (entries === null) return `There is no entry ${id} on this branch.`;
      const start = from === undefined ? 0 : entries.findIndex(({ entry }) => entry.id === from);
      return page(host, entries.slice(Math.max(0, start)), id, maxTokens);
    },
  };
}

/** The entries under the node that ends at `id`, else that entry alone; what is never shown stays unseen. Null: it is not on the branch. */
async function stretchOf(branch: BranchReader, id: EntryId): Promise<readonly Placed[] | null> {
  const last = await branch.get(id);
  if (last === null) return null;
  if (nodeOf(last) !== id) return [last].filter(isReadable);
  const found: Placed[] = [];
  for await (const placed of branch.newestFirst(id)) {
    if (nodeOf(placed) !== id) break;
    if (isReadable(placed)) found.push(placed);
  }
  return found.reverse();
}

function isReadable({ entry }: Placed): boolean {
  return !isSilent(entry);
}

/** The node that an entry lies under, by the id that its first line names. */
function nodeOf(placed: Placed): EntryId | null {
  return placed.shape.kind === 'covered' ? (placed.shape.segment?.through ?? null) : null;
}

/** Nine tenths of what the host takes, so that the cursor line is never cut off. One entry larger than that is cut by the host. */
function page({ tokens }: Pick<EngineHost, 'tokens'>, entries: readonly Placed[], id: EntryId, maxTokens: number): string {
  const texts: string[] = [];
  let left = Math.floor(maxTokens * 0.9);
  for (const { entry } of entries) {
    const text = entryText(entry);
    left -= tokens.count(text);
    if (left < 0 && texts.length > 0) return [...texts, `[more: lcm_expand {"id":"${id}","from":"${entry.id}"}]`].join('\n\n');
    texts.push(text);
  }
  return texts.length === 0 ? `Nothing to show under ${id}.` : texts.join('\n\n');
}
