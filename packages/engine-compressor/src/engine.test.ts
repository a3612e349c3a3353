import { describe, expect, it } from 'vitest';
import { MemoryBranch, shownTokensUnder } from '../test/memory-branch.ts';
import { engineOf, requestOf, segmentsOf } from '../test/requests.ts';

const words = (tokens: number, seed = 'w'): string => Array.from({ length: tokens }, (_, at) => `${seed}${String(at % 10)} `).join('').slice(0, tokens * 4);

function longBranch(turns: number, tokensEach: number): MemoryBranch {
  const branch = new MemoryBranch();
  for (let turn = 0; turn < turns; turn += 1) {
    branch.user(`Please look at src/part${String(turn)}/file.ts and tell me.`);
    branch.tools([{ name: 'read', input: { path: `src/part${String(turn)}/file.ts` }, output: words(tokensEach) }]);
    branch.reply(`It is fine. Turn ${String(turn)}.`);
  }
  return branch;
}

describe('compact', () => {
  it('covers the middle and reaches the goal', async () => {
    const branch = longBranch(30, 900);
    const request = requestOf(branch);
    const outcome = await engineOf().compact(request);
    const segments = segmentsOf(outcome);
    expect(segments.map(({ show }) => show)).toEqual(['entries', 'summary']);
    expect(shownTokensUnder(branch.reader().placed, segments)).toBeLessThanOrEqual(request.goalTokens);
  });
});
