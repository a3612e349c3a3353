import { z } from 'zod';
import type { BranchReader, EngineHost, EngineTool, Hit } from '@palimpsest/contracts';
import { parsedInput } from './input.ts';

const schema = z.strictObject({
  query: z.string().min(1).describe('Words that all have to occur.'),
  limit: z.int().min(1).max(50).default(10),
});

/** Searches every entry of the session, also those that a node stands for. */
export function grepTool(host: Pick<EngineHost, 'search'>): EngineTool {
  return {
    name: 'lcm_grep',
    description: 'Search the whole session, also the parts that are only shown as summaries. Answers entry ids for lcm_expand.',
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as EngineTool['inputSchema'],
    run: async (input, { branch }) => {
      const asked = parsedInput(schema, input);
      if ('problem' in asked) return asked.problem;
      const { query, limit } = asked.value;
      const found = await foundOn(branch, limit, (most) => host.search(query, most));
      return found.length === 0 ? `Nothing in this session has all of: ${query}` : found.join('\n');
    },
  };
}

/** A search knows the session, not the branch: it is asked for more until there are enough hits on this one, or no more at all. */
async function foundOn(branch: BranchReader, limit: number, search: (most: number) => Promise<readonly Hit[]>): Promise<readonly string[]> {
  for (let most = limit; ; most *= MORE) {
    const hits = await search(most);
    const lines: string[] = [];
    for (const hit of hits) {
      const line = await lineOf(hit, branch);
      if (line !== null) lines.push(line);
      if (lines.length === limit) return lines;
    }
    if (hits.length < most) return lines;
  }
}

const MORE = 4;

/** Null: the hit lies on another branch. */
async function lineOf({ entry, snippet }: Hit, branch: BranchReader): Promise<string | null> {
  const placed = entry === null ? null : await branch.get(entry);
  if (placed === null) return null;
  const node = placed.shape.kind === 'covered' && placed.shape.segment !== null ? `, in node ${placed.shape.segment.through}` : '';
  return `${placed.entry.id} (${String(placed.entry.seq)}${node}): ${snippet.replaceAll(/\s+/gu, ' ')}`;
}
