import { expect, it } from 'vitest';
import type { EntryId, Hit, SessionId } from '@palimpsest/contracts';
import { branchOf, id } from '../../test/branch.ts';
import { grepTool } from './grep.ts';

const branch = branchOf(['a', 'b', 'c'], [1]);
const hit = (entry: EntryId | null): Hit => ({ session: 's' as SessionId, entry, artifact: null, snippet: 'about\n herons', score: 1 });
const grep = async (hits: readonly Hit[], limit: number): Promise<readonly string[]> => {
  const text = await grepTool({ search: (_query, most) => Promise.resolve(hits.slice(0, most)) }).run(
    { query: 'herons', limit },
    { branch, maxTokens: 1_000, signal: new AbortController().signal },
  );
  return text.split('\n');
};
const elsewhere = Array.from({ length: 30 }, (_, at) => hit(id(100 + at)));

it('finds what lies on this branch behind any number of hits on others', async () => {
  expect(await grep([...elsewhere, hit(null), hit(id(0)), hit(id(2)), hit(id(1))], 2)).toEqual([
    'e0 (0, in node e1): about herons',
    'e2 (2): about herons',
  ]);
});

it('ends where the search has no more', async () => {
  expect(await grep([...elsewhere, hit(id(2))], 5)).toEqual(['e2 (2): about herons']);
  expect(await grep(elsewhere, 5)).toEqual(['Nothing in this session has all of: herons']);
});
