/** Rows of the regression catalogue of the compression specification that concern boundaries, tails and summaries. */
import { describe, expect, it } from 'vitest';
import type { EntryId, Segment } from '@palimpsest/contracts';
import { filler } from '../test/any-branch.ts';
import { MemoryBranch, shownTokensUnder, stretches } from '../test/memory-branch.ts';
import { budgetOf, engineOf, requestOf, segmentsOf, summaryTexts } from '../test/requests.ts';

function kept(branch: MemoryBranch, segments: readonly Segment[]): readonly EntryId[] {
  return stretches(branch.reader().placed, segments).flatMap(({ segment, inside }) =>
    segment.show === 'entries' ? inside.map(({ entry }) => entry.id) : [],
  );
}

/** Questions and short answers. */
function chat(turns: number, tokens: number, branch = new MemoryBranch()): MemoryBranch {
  for (let turn = 0; turn < turns; turn += 1) {
    branch.user(filler(tokens, branch.entries.length));
    branch.reply(filler(tokens, branch.entries.length));
  }
  return branch;
}

describe('regressions', () => {
  it('R01: half a percent is no progress', async () => {
    const branch = new MemoryBranch();
    const small = branch.reply(filler(120, 1));
    const asked = branch.user(filler(20_000, 2));
    const outcome = await engineOf({ protect_first_n: 0 }).compact(requestOf(branch, { goalTokens: 10_000, protectedEntries: [asked] }));
    expect(outcome).toMatchObject({ kind: 'irreducible' });
    expect(small).toBe('e1');
  });

  it('R02: a small summary allowance does not make every turn compact: what is left is under the goal, and the next call a no-op', async () => {
    const branch = chat(60, 300);
    branch.commit({ segments: segmentsOf(await engineOf({ max_summary_tokens: 1 }).compact(requestOf(branch, { goalTokens: 12_000 }))) });
    chat(1, 100, branch);
    expect(await engineOf({ max_summary_tokens: 1 }).compact(requestOf(branch, { goalTokens: 14_000 }))).toEqual({
      kind: 'noop',
      reason: 'under-mark',
    });
  });

  it('R04: a transcript under the soft ceiling is cut by the raw budget, and one under that is a no-op', async () => {
    const branch = chat(20, 170);
    const budget = budgetOf(32_000, 27_200);
    expect(branch.reader().shownTokens).toBeGreaterThan(5_440);
    expect(branch.reader().shownTokens).toBeLessThan(8_160);
    const ask = { budget, trigger: 'manual' as const, goalTokens: 20_000 };
    const outcome = await engineOf({ protect_first_n: 0 }).compact(requestOf(branch, ask));
    expect(summaryTexts(outcome)).toHaveLength(1);
    expect(await engineOf({ protect_first_n: 0 }).compact(requestOf(chat(12, 170), ask))).toEqual({
      kind: 'noop',
      reason: 'nothing-eligible',
    });
  });

  it('R05: a tail of huge tool results is covered down to the newest group', async () => {
    const branch = new MemoryBranch();
    branch.user('go');
    for (let step = 0; step < 6; step += 1)
      branch.tools([{ name: 'bash', input: { command: `dump ${String(step)}` }, output: filler(6_000, step) }]);
    const segments = segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 10_000 })));
    expect(shownTokensUnder(branch.reader().placed, segments)).toBeLessThanOrEqual(10_000);
    expect(kept(branch, segments)).toEqual(['e1', 'e12', 'e13']);
  });

  it('R10: few but enormous messages are compacted too', async () => {
    const branch = new MemoryBranch();
    branch.user(filler(9_000, 1));
    branch.reply(filler(9_000, 2));
    branch.user('and now?');
    const segments = segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 10_000 })));
    expect(shownTokensUnder(branch.reader().placed, segments)).toBeLessThanOrEqual(10_000);
    expect(kept(branch, segments)).toContain('e3');
  });

  it('R10: one enormous message alone is covered', async () => {
    const branch = new MemoryBranch();
    branch.user('read it all');
    const huge = branch.tools([{ output: filler(12_000, 1) }]);
    branch.user('and now?');
    const segments = segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 4_000 })));
    expect(segments.map(({ show }) => show)).toEqual(['entries', 'summary']);
    expect(kept(branch, segments)).not.toContain(huge);
  });

  it('R14: the last real user message is never summed up, however far back it lies', async () => {
    const branch = chat(10, 300);
    const asked = branch.user('Fix the date parser.');
    for (let step = 0; step < 60; step += 1) branch.tools([{ output: filler(500, step) }]);
    branch.user('go on', 'continuation');
    branch.user('a job ended', 'notice');
    expect(kept(branch, segmentsOf(await engineOf().compact(requestOf(branch, { newestUserEntry: asked }))))).toContain(asked);
  });

  it('R16: the last visible reply stays, also behind many silent steps', async () => {
    const branch = chat(10, 300);
    const reply = branch.reply('The parser is fixed; one test is left.');
    for (let step = 0; step < 60; step += 1) branch.tools([{ output: filler(500, step) }]);
    expect(kept(branch, segmentsOf(await engineOf().compact(requestOf(branch))))).toContain(reply);
  });

  it('R19: where no person spoke, the summary names no task', async () => {
    const branch = new MemoryBranch();
    branch.user('nightly run', 'notice');
    for (let step = 0; step < 60; step += 1) branch.tools([{ output: filler(500, step) }]);
    const [text = ''] = summaryTexts(await engineOf({ protect_first_n: 0 }).compact(requestOf(branch)));
    expect(text).not.toMatch(/## Task|user|asked|goal/iu);
  });

  it('R32: an open call is never covered, whoever forgot to protect it', async () => {
    const branch = chat(30, 300);
    const open = branch.tools([
      { id: 'a', output: filler(9_000, 1) },
      { id: 'b', output: null },
    ]);
    const segments = segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 12_000 })));
    expect(kept(branch, segments)).toContain(open);
  });

  it('R32: it is not covered either when it is larger than the goal and something was said after it', async () => {
    const branch = chat(30, 300);
    const open = branch.tools([
      { id: 'a', output: filler(9_000, 1) },
      { id: 'b', output: null },
    ]);
    branch.user('and hurry');
    expect(kept(branch, segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 5_000 }))))).toContain(open);
  });

  it('R31: nothing changes before the commit', async () => {
    const branch = chat(60, 300);
    const before = JSON.stringify(branch.entries);
    await engineOf().compact(requestOf(branch));
    expect(JSON.stringify(branch.entries)).toBe(before);
  });

  it('R35: without any model there is a summary all the same', async () => {
    const [text = ''] = summaryTexts(await engineOf().compact(requestOf(chat(60, 300))));
    expect(text.length).toBeGreaterThan(400);
  });

  it('head: opening turns are not immortal in a session that came with a handoff', async () => {
    const branch = new MemoryBranch();
    branch.user('Summary of what was done before: the port is 8123.', 'handoff');
    chat(60, 300, branch);
    const outcome = await engineOf().compact(requestOf(branch));
    expect(segmentsOf(outcome)[0]?.show).toBe('summary');
    expect(summaryTexts(outcome)[0]).toContain('the port is 8123');
    expect(segmentsOf(outcome)[0]).toMatchObject({ trust: 'external' });
  });

  it('head: it slides over tool results', async () => {
    const branch = new MemoryBranch();
    branch.user('go');
    branch.tools([{}, {}, {}]);
    chat(60, 300, branch);
    expect(segmentsOf(await engineOf({ protect_first_n: 2 }).compact(requestOf(branch)))[0]).toEqual({ through: 'e5', show: 'entries' });
  });

  it('cut: a tail never begins at a tool result', async () => {
    const branch = chat(40, 300);
    branch.result('nobody', filler(300, 1));
    branch.reply(filler(300, 2));
    branch.user('go');
    const segments = segmentsOf(await engineOf({ protect_last_n: 1 }).compact(requestOf(branch, { keepRecent: 450 })));
    const tail = stretches(branch.reader().placed, segments).at(-1)?.inside[0]?.entry;
    expect(tail?.kind === 'message' && tail.message.role).not.toBe('tool');
  });
});
