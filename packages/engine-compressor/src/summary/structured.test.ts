import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyBody, anyText } from '@palimpsest/testing';
import { anyBranch, filler } from '../../test/any-branch.ts';
import { countTokens, MemoryBranch } from '../../test/memory-branch.ts';
import { structuredSummary, type StructuredSummaryAsk } from './structured.ts';

const counts: readonly StructuredSummaryAsk['count'][] = [
  countTokens,
  (text) => countTokens(text) + 40,
  (text) => text.length,
  (text) => text.split(/\s+/u).length,
  () => 50,
];

function summary(branch: MemoryBranch, fields: Partial<StructuredSummaryAsk> = {}): string {
  return structuredSummary({ source: branch.reader().placed, prior: null, focus: null, maxTokens: 4_000, count: countTokens, ...fields });
}

function session(): MemoryBranch {
  const branch = new MemoryBranch();
  branch.user('Make the date parser accept ISO weeks.');
  branch.tools([{ name: 'read', input: { path: 'src/dates.ts' }, output: 'export function parseWeek() {}' }], 'I read it.');
  branch.tools([{ name: 'bash', input: { command: 'npm test' }, output: 'TypeError: week is undefined\nexit code: 1' }]);
  branch.tools([{ name: 'edit', input: { path: 'src/dates.ts' } }]);
  branch.reply('The parser accepts ISO weeks now. I changed one function. Nothing else was touched. And so on.');
  branch.user('Also document it in docs/dates.md.');
  branch.tools([
    { name: 'write', input: { path: 'docs/dates.md', content: 'x' }, output: { type: 'error-text', value: 'EACCES: denied' } },
  ]);
  branch.reply('The folder is read-only.');
  return branch;
}

describe('structuredSummary', () => {
  it('sorts what happened into sections', () => {
    expect(summary(session())).toBe(`Facts extracted from the earlier part of this session, without a model (form 1).

## Task
- Original goal: Make the date parser accept ISO weeks.
- Also document it in docs/dates.md.

## Answers and decisions
- The folder is read-only.
- The parser accepts ISO weeks now. I changed one function. Nothing else was touched. And so on.

## Work done
1. read \`src/dates.ts\` → ok, 30 chars
2. bash \`npm test\` → exit 1, 2 lines
3. edit \`src/dates.ts\` → ok, 2 chars
4. write \`docs/dates.md\` → error, 14 chars

## Files modified
- src/dates.ts

## Errors seen
- EACCES: denied
- TypeError: week is undefined

## Identifiers
- parseWeek`);
  });

  it('folds the prior summary into the same sections', () => {
    const later = new MemoryBranch();
    later.user('Now release it.');
    later.tools([{ name: 'bash', input: { command: 'npm publish' } }]);
    const text = summary(later, { prior: summary(session()) });
    expect(text.match(/## Task/gu)).toHaveLength(1);
    expect(text).toContain('- Original goal: Make the date parser accept ISO weeks.\n- Now release it.\n- Also document');
    expect(text).toContain('5. bash `npm publish` → ok, 2 chars');
    expect(text).toContain('## Files modified\n- src/dates.ts');
  });

  it('keeps a bounded part of a prior text of another form', () => {
    const text = summary(session(), { prior: `The port is 8123.\n${'More. '.repeat(20_000)}` });
    expect(text).toContain('## Earlier summary\n- The port is 8123.');
    expect(text.length).toBeLessThan(4_000);
  });

  it('what must be cut goes from the old end, and every section keeps its best', () => {
    const branch = new MemoryBranch();
    for (let turn = 0; turn < 200; turn += 1) {
      branch.user(`Wish ${String(turn)} ${'for more '.repeat(10)}`);
      branch.tools([{ name: 'bash', input: { command: `run ${String(turn)}` } }]);
      branch.reply(`Answer ${String(turn)}`);
    }
    const text = summary(branch, { maxTokens: 600 });
    for (const kept of ['Original goal: Wish 0', 'Wish 199', 'Answer 199', '200. bash `run 199`']) expect(text).toContain(kept);
    for (const cut of ['Wish 20 ', 'Answer 20\n', ' 20. bash']) expect(text).not.toContain(cut);
    expect(countTokens(text)).toBeGreaterThan(400);
  });

  it('repeats no credential of any part', () => {
    const word = `ghp_${'Ab1'.repeat(12)}`;
    const branch = new MemoryBranch();
    branch.user(`use ${word}`);
    branch.tools(
      [
        {
          name: 'bash',
          input: { command: `curl -H 'Authorization: Bearer ${word}' x`, token: word },
          output: { type: 'error-text', value: `failed for ${word}` },
        },
        { name: 'odd', input: { a: word } },
      ],
      `I use ${word}`,
    );
    branch.tools([{ name: 'read', input: { path: `src/${word}.ts` }, output: `${filler(9_000, 1)}${word}` }]);
    branch.reply(`done with ${word}`);
    branch.user(`summary with ${word}`, 'handoff');
    const text = summary(branch, { prior: `old ${word}`, focus: `use ${word}` });
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(word.slice(0, 12));
  });

  it('finds what stands at the end of a huge result', () => {
    const branch = new MemoryBranch();
    branch.tools([{ output: `${'word '.repeat(100_000)}the_last_one` }]);
    expect(summary(branch)).toContain('the_last_one');
  });

  it('passes over what the model was never shown, and over pushes to go on', () => {
    const branch = session();
    const silent = branch.reader().placed.map((placed) => ({ ...placed, shape: { kind: 'silent' as const } }));
    expect(summary(branch, { source: silent })).toBe('');
    const pushed = new MemoryBranch();
    pushed.user('continue with step_two', 'continuation');
    expect(summary(pushed)).toBe('');
  });

  it('is never longer than asked, whatever is counted, and the same every time', () => {
    fc.assert(
      fc.property(
        anyBranch(30),
        fc.constantFrom(...counts),
        fc.nat(1_500),
        fc.option(fc.string({ maxLength: 200 })),
        fc.option(anyText()),
        (branch, count, maxTokens, prior, focus) => {
          const ask = { source: branch.reader().placed, prior, focus, maxTokens, count };
          const text = structuredSummary(ask);
          if (text !== '') expect(count(text)).toBeLessThanOrEqual(maxTokens);
          expect(structuredSummary(ask)).toBe(text);
          const again = structuredSummary({ ...ask, prior: text });
          if (again !== '') expect(count(again)).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { seed: 21, numRuns: 60 },
    );
  });

  it('takes messages of any shape', () => {
    fc.assert(
      fc.property(fc.array(anyBody(), { minLength: 1, maxLength: 20 }), fc.option(anyText()), (bodies, focus) => {
        const branch = new MemoryBranch();
        for (const body of bodies) branch.add(body.kind === 'compaction' ? { kind: 'label', target: 'x' as never, label: null } : body, 10);
        const text = summary(branch, { focus, maxTokens: 300 });
        expect(countTokens(text)).toBeLessThanOrEqual(300);
      }),
      { seed: 22, numRuns: 120 },
    );
  });

  it('takes a huge result in little time', () => {
    const branch = new MemoryBranch();
    branch.user('go');
    for (let step = 0; step < 20; step += 1)
      branch.tools([{ name: 'bash', input: { command: 'x'.repeat(100_000) }, output: 'y'.repeat(2_000_000) }]);
    expect(summary(branch)).toContain('bash');
  });
});
