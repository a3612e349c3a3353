import { expect, it } from 'vitest';
import type { EntryId } from '@palimpsest/contracts';
import { branchOf, id } from '../../test/branch.ts';
import { expandTool } from './expand.ts';

const host = { tokens: { count: (text: string) => text.length, block: (text: string) => text.length } };
/** Two nodes of three entries each, bookkeeping, and two entries that are shown. */
const branch = branchOf(['a', 'b', 'c', 'd', 'e', 'f', null, 'g', 'h'], [2, 5]);
const shownBy = async (asked: EntryId, from?: EntryId): Promise<readonly (string | undefined)[]> => {
  const text = await expandTool(host).run(
    { id: asked, ...(from === undefined ? {} : { from }) },
    { branch, maxTokens: 10_000, signal: new AbortController().signal },
  );
  return [...text.matchAll(/--- entry (\S+)/gu)].map(([, entry]) => entry);
};

it('shows what a node stands for by the id that its first line names', async () => {
  expect(await shownBy(id(2))).toEqual(['e0', 'e1', 'e2']);
  expect(await shownBy(id(5))).toEqual(['e3', 'e4', 'e5']);
  expect(await shownBy(id(5), id(4))).toEqual(['e4', 'e5']);
});

it('shows one entry by its own id, wherever it lies', async () => {
  expect(await shownBy(id(4))).toEqual(['e4']);
  expect(await shownBy(id(0))).toEqual(['e0']);
  expect(await shownBy(id(8))).toEqual(['e8']);
  expect(await shownBy(id(6))).toEqual([]);
});

it('leaves out what is never shown, also where a node covers it', async () => {
  const covered = branchOf(['a', null, 'c', 'd'], [2]);
  const text = await expandTool(host).run({ id: id(2) }, { branch: covered, maxTokens: 10_000, signal: new AbortController().signal });
  expect([...text.matchAll(/--- entry (\S+)/gu)].map(([, entry]) => entry)).toEqual(['e0', 'e2']);
});
