import { describe, expect, it } from 'vitest';
import { artifactId, type EntryId, type Segment, type SummarySegment } from '@palimpsest/contracts';
import { filler } from '../test/any-branch.ts';
import { MemoryBranch, shownTokensUnder, stretches } from '../test/memory-branch.ts';
import { budgetOf, engineOf, FRAME_TOKENS, requestOf, segmentsOf, summaryTexts } from '../test/requests.ts';

/** Turns of one question, one tool call and one answer. */
function conversation(turns: number, resultTokens: number, branch = new MemoryBranch()): MemoryBranch {
  for (let turn = 0; turn < turns; turn += 1) {
    const at = branch.entries.length;
    branch.user(`Question ${String(at)}: what does src/part${String(at)}.ts do?`);
    branch.tools([{ name: 'read', input: { path: `src/part${String(at)}.ts` }, output: filler(resultTokens, at) }]);
    branch.reply(`Answer ${String(at)}: it parses dates.`);
  }
  return branch;
}

function shownIds(branch: MemoryBranch, segments: readonly Segment[]): readonly EntryId[] {
  return stretches(branch.reader().placed, segments).flatMap(({ segment, inside }) =>
    segment.show === 'entries' ? inside.map(({ entry }) => entry.id) : [],
  );
}
const shows = (segments: readonly Segment[]): readonly string[] => segments.map(({ show }) => show);

describe('plan', () => {
  it('shows the branch as it is logged', async () => {
    const request = requestOf(conversation(2, 10));
    const plan = await engineOf().plan({ ...request, purpose: 'turn' });
    expect(plan).toEqual({ segments: [{ through: request.branch.last, show: 'entries' }], estimateTokens: request.branch.shownTokens });
  });
});

describe('compact', () => {
  it('keeps head and tail, covers the middle, and says what it did', async () => {
    const branch = conversation(30, 900);
    const engine = engineOf();
    const request = requestOf(branch);
    const outcome = await engine.compact(request);
    const segments = segmentsOf(outcome);
    expect(shows(segments)).toEqual(['entries', 'summary']);
    expect(segments[0]?.through).toBe('e3');
    expect(segments[1]).toMatchObject({ quality: 'extract', trust: 'tool' });
    const after = shownTokensUnder(branch.reader().placed, segments);
    expect(after).toBeLessThanOrEqual(request.goalTokens);
    expect(outcome).toMatchObject({
      drafts: {
        compaction: {
          short: expect.stringMatching(
            new RegExp(`^\\d+ entries summed up, ${String(request.branch.shownTokens)} to ${String(after)} tokens$`, 'u'),
          ) as unknown,
        },
      },
    });
    expect(engine.status()).toEqual({
      summary: '1 compactions proposed, last answer: compacted',
      details: { compactions: 1, last: 'compacted' },
    });
  });

  it('is deterministic', async () => {
    const branch = conversation(30, 900);
    expect(await engineOf().compact(requestOf(branch))).toEqual(await engineOf().compact(requestOf(branch)));
  });

  it('the tail is the budget of the options', async () => {
    const branch = conversation(60, 400);
    const tailOf = async (ratio: number): Promise<number> => {
      const segments = segmentsOf(
        await engineOf({ target_ratio: ratio, protect_last_n: 1 }).compact(
          requestOf(branch, { budget: budgetOf(100_000, 20_000), goalTokens: 20_000 }),
        ),
      );
      const tail = stretches(branch.reader().placed, segments).at(-1)?.inside ?? [];
      return tail.reduce((sum, { shownTokens }) => sum + shownTokens, 0);
    };
    for (const ratio of [0.1, 0.3]) {
      expect(await tailOf(ratio)).toBeGreaterThan(20_000 * ratio);
      expect(await tailOf(ratio)).toBeLessThanOrEqual(20_000 * ratio * 1.5);
    }
  });

  it('says once what is not used as it was asked for', async () => {
    const warnings: string[] = [];
    const engine = engineOf({ target_ratio: 0.9, max_summary_tokens: 90_000 }, { warnings });
    const ask = requestOf(conversation(30, 900), { budget: budgetOf(100_000, 20_000) });
    await engine.compact({ ...ask, trigger: 'prepare' });
    expect(warnings).toEqual([]);
    await engine.compact(ask);
    await engine.compact(ask);
    expect(warnings).toEqual(['target_ratio 0.9: 0.8 is used (0.1 to 0.8)', 'max_summary_tokens 90000: 5000 are used (5 % of the window)']);
  });

  it('keepRecent is the tail instead', async () => {
    const branch = conversation(30, 900);
    const none = segmentsOf(await engineOf({ protect_last_n: 1 }).compact(requestOf(branch, { keepRecent: 0 })));
    const much = segmentsOf(await engineOf().compact(requestOf(branch, { keepRecent: 10_000 })));
    expect(shownIds(branch, much).length).toBeGreaterThan(shownIds(branch, none).length + 6);
  });

  it('the floor in messages beats the budget where it fits, and yields where it does not', async () => {
    const branch = conversation(30, 900);
    const kept = async (goalTokens: number): Promise<number> =>
      shownIds(branch, segmentsOf(await engineOf({ protect_first_n: 0 }).compact(requestOf(branch, { keepRecent: 100, goalTokens }))))
        .length;
    expect(await kept(16_000)).toBe(8);
    expect(await kept(2_600)).toBeLessThan(8);
  });

  it('a turn larger than the tail: one summary before the newest user entry, one between it and the tail', async () => {
    const branch = conversation(4, 900);
    const asked = branch.user('Now rename everything.');
    for (let step = 0; step < 40; step += 1)
      branch.tools([{ name: 'edit', input: { path: `src/renamed${String(step)}.ts` }, output: filler(800, 100 + step) }]);
    const outcome = await engineOf().compact(requestOf(branch));
    const segments = segmentsOf(outcome);
    expect(shows(segments)).toEqual(['entries', 'summary', 'entries', 'summary']);
    expect(segments[2]?.through).toBe(asked);
    expect(shownIds(branch, segments)).toContain(asked);
    expect(summaryTexts(outcome)[0]).toContain('src/part4.ts');
    expect(summaryTexts(outcome)[1]).toContain('src/renamed3.ts');
    expect(summaryTexts(outcome)[1]).not.toContain('## Task');
  });

  it('the head is kept once: the second compaction covers it and keeps what the first summary said', async () => {
    const branch = conversation(30, 900);
    const engine = engineOf();
    const first = await engine.compact(requestOf(branch));
    branch.commit({ segments: segmentsOf(first) });
    conversation(20, 900, branch);
    const second = await engine.compact(requestOf(branch));
    expect(shows(segmentsOf(second))).toEqual(['summary']);
    expect(summaryTexts(second)[0]).toContain('Original goal: Question 0');
    expect(summaryTexts(second)[0]).toContain('src/part48.ts');
    expect(engine.status().details).toEqual({ compactions: 2, last: 'compacted' });
  });

  it('an earlier summary that nothing is added to stays as it is', async () => {
    const branch = conversation(30, 900);
    const first = segmentsOf(await engineOf({ protect_first_n: 0 }).compact(requestOf(branch)));
    branch.commit({ segments: first });
    branch.user('Now do the long thing.');
    for (let step = 0; step < 40; step += 1)
      branch.tools([{ name: 'bash', input: { command: `make step${String(step)}` }, output: filler(700, 200 + step) }]);
    const second = segmentsOf(await engineOf().compact(requestOf(branch)));
    branch.commit({ segments: second });
    for (let step = 0; step < 40; step += 1)
      branch.tools([{ name: 'bash', input: { command: `make more${String(step)}` }, output: filler(700, 300 + step) }]);
    const third = segmentsOf(await engineOf().compact(requestOf(branch)));
    expect(third[0]).toEqual(second[0]);
    expect(third[2]).not.toEqual(second[2]);
  });

  it('reads what is shown and never what is covered', async () => {
    const branch = conversation(30, 900);
    const first = segmentsOf(await engineOf().compact(requestOf(branch)));
    branch.commit({ segments: first });
    conversation(20, 900, branch);
    const request = requestOf(branch);
    const reader = branch.reader();
    await engineOf().compact({ ...request, branch: reader });
    const covered = reader.placed.filter(({ shape }) => shape.kind === 'covered').map(({ entry }) => entry.id);
    // One entry past each shown stretch may be looked at to find its end.
    expect(reader.read.filter((id) => covered.includes(id)).length).toBeLessThanOrEqual(first.length);
    expect(reader.read.length).toBeLessThan(reader.placed.length - covered.length + first.length + 1);
  });

  it('under the goal it does nothing by itself, but an operator may ask', async () => {
    const branch = conversation(20, 900);
    for (const trigger of ['threshold', 'hygiene', 'overflow', 'model-switch'] as const) {
      expect(await engineOf().compact(requestOf(branch, { trigger, goalTokens: 50_000 }))).toEqual({ kind: 'noop', reason: 'under-mark' });
    }
    for (const trigger of ['manual', 'idle'] as const)
      expect(await engineOf().compact(requestOf(branch, { trigger, goalTokens: 50_000 }))).toMatchObject({ kind: 'compacted' });
    expect(await engineOf().compact(requestOf(branch, { trigger: 'prepare' }))).toEqual({ kind: 'noop', reason: 'nothing-eligible' });
  });

  it('min_tail_user_messages keeps that many questions whole', async () => {
    const branch = conversation(30, 900);
    const users = branch.entries.filter((entry) => entry.kind === 'message' && entry.origin === 'user_input').map(({ id }) => id);
    const kept = shownIds(branch, segmentsOf(await engineOf({ min_tail_user_messages: 12 }).compact(requestOf(branch))));
    expect(users.slice(-12).every((id) => kept.includes(id))).toBe(true);
    expect(kept).not.toContain(users.at(-14));
  });

  it('protected entries stay, wherever they are', async () => {
    const branch = conversation(15, 900);
    const skill = branch.tools([{ name: 'skill', output: filler(200, 9) }]);
    conversation(15, 900, branch);
    const result = branch.entries.find(({ parent }) => parent === skill)?.id;
    const kept = shownIds(
      branch,
      segmentsOf(await engineOf().compact(requestOf(branch, { protectedEntries: result === undefined ? [] : [result] }))),
    );
    expect(kept).toContain(skill);
    expect(kept).toContain(result);
  });

  it('says what cannot shrink when the protected entries alone are above the goal', async () => {
    const branch = new MemoryBranch();
    const asked = branch.user(filler(5_000, 1));
    const outcome = await engineOf().compact(requestOf(branch, { goalTokens: 1_000, protectedEntries: [asked] }));
    expect(outcome).toMatchObject({
      kind: 'irreducible',
      floorTokens: 5_000,
      parts: { newestUserEntry: 5_000, protectedEntries: 0, rest: 0 },
    });
  });

  it('frees what it can although the goal is out of reach', async () => {
    const branch = conversation(20, 500);
    branch.user(filler(5_000, 1));
    const segments = segmentsOf(await engineOf().compact(requestOf(branch, { goalTokens: 3_000 })));
    expect(shownTokensUnder(branch.reader().placed, segments)).toBeLessThan(5_700);
  });

  it('a summary of another engine, in artifacts and with gaps, is folded in', async () => {
    const branch = conversation(10, 900);
    const node = (through: EntryId, text: SummarySegment['text']): Segment => ({
      through,
      show: 'summary',
      text,
      tokens: 300,
      quality: 'model',
      trust: 'external',
    });
    const ids = branch.entries.map(({ id }) => id);
    const at = (index: number): EntryId => ids[index] ?? branch.reader().last;
    branch.commit(
      {
        segments: [
          node(at(9), { artifact: artifactId.parse('a1') }),
          { through: at(13), show: 'nothing', reason: 'trimmed', reach: null },
          node(at(19), { inline: 'the tokens of release-7731 were lost' }),
        ],
      },
      'other',
    );
    conversation(20, 900, branch);
    const outcome = await engineOf(
      {},
      { artifacts: { a1: '# Notes\nbuild number bld_20931 failed\n## Task\nnot a heading of ours' } },
    ).compact(requestOf(branch));
    expect(shows(segmentsOf(outcome))).toEqual(['summary']);
    expect(summaryTexts(outcome)[0]).toContain('## Earlier summary');
    expect(summaryTexts(outcome)[0]).toContain('bld_20931');
    expect(summaryTexts(outcome)[0]).toContain('release-7731');
    expect(segmentsOf(outcome)[0]).toMatchObject({ trust: 'external' });
  });

  it('a summary whose text is gone stays in force: it is not covered by one that cannot repeat it', async () => {
    const branch = conversation(10, 900);
    const lost: Segment = {
      through: branch.reader().last,
      show: 'summary',
      text: { artifact: artifactId.parse('lost') },
      tokens: 300,
      quality: 'model',
      trust: 'tool',
    };
    branch.commit({ segments: [lost] }, 'other');
    conversation(30, 900, branch);
    const segments = segmentsOf(await engineOf().compact(requestOf(branch)));
    expect(segments[0]).toEqual(lost);
    expect(shows(segments)).toEqual(['summary', 'summary']);
  });

  it('file lists go on over compactions, also when the summary has no room for them', async () => {
    const branch = new MemoryBranch();
    branch.user('go');
    branch.tools([
      { name: 'write', input: { path: 'src/first.ts' } },
      { name: 'read', input: { path: 'src/seen.ts' } },
    ]);
    conversation(30, 900, branch);
    const first = await engineOf({ protect_first_n: 0 }).compact(requestOf(branch));
    const details = first.kind === 'compacted' ? first.drafts.compaction?.details : undefined;
    expect(details).toMatchObject({
      modifiedFiles: ['src/first.ts'],
      readFiles: expect.arrayContaining(['src/seen.ts', 'src/part4.ts']) as unknown,
    });
    const emptied = segmentsOf(first).map((segment): Segment =>
      segment.show === 'summary' ? { ...segment, text: { inline: 'nothing' } } : segment,
    );
    branch.commit({ segments: emptied, ...(details === undefined ? {} : { details }) });
    branch.tools([{ name: 'edit', input: { path: 'src/seen.ts' } }]);
    conversation(30, 900, branch);
    expect(await engineOf().compact(requestOf(branch))).toMatchObject({
      drafts: { compaction: { details: { modifiedFiles: ['src/first.ts', 'src/seen.ts'] } } },
    });
  });

  it('the focus is looked up in what is covered', async () => {
    const branch = conversation(6, 900);
    branch.tools([{ name: 'bash', input: { command: 'psql' }, output: `one\nthe migration 0042 needs a lock\ntwo` }]);
    conversation(24, 900, branch);
    const outcome = await engineOf().compact(requestOf(branch, { focus: 'keep the MIGRATION in mind' }));
    expect(summaryTexts(outcome)[0]).toContain('## On the focus\n- the migration 0042 needs a lock');
  });

  it('a summary that would not be smaller than what it covers is not made', async () => {
    const branch = new MemoryBranch();
    branch.reply('Ready.');
    branch.user('Go.');
    const ask = requestOf(branch, { trigger: 'manual', keepRecent: 0 });
    expect(await engineOf({ protect_first_n: 0, protect_last_n: 1 }).compact({ ...ask, goalTokens: 2 })).toMatchObject({
      kind: 'irreducible',
      floorTokens: 3,
    });
  });

  it('a credential in an earlier summary is not carried on', async () => {
    const word = `ghp_${'Ab1'.repeat(12)}`;
    const branch = conversation(4, 100);
    branch.commit(
      {
        segments: [
          {
            through: branch.reader().last,
            show: 'summary',
            text: { inline: `The key is ${word}, the port 8123.` },
            tokens: 20,
            quality: 'model',
            trust: 'tool',
          },
        ],
      },
      'other',
    );
    const outcome = await engineOf().compact(requestOf(conversation(30, 900, branch)));
    expect(summaryTexts(outcome)[0]).toContain('The key is [redacted], the port 8123.');
  });

  it('an abort is no answer', async () => {
    const branch = conversation(30, 900);
    expect(await engineOf().compact(requestOf(branch, { signal: AbortSignal.abort() }))).toEqual({
      kind: 'failed',
      error: 'aborted',
      retryable: true,
    });
  });

  it('a reader that fails is a failure of this compaction, not a throw', async () => {
    const branch = conversation(30, 900);
    const reader = branch.reader();
    reader.newestFirst = () => {
      throw new Error('disk');
    };
    expect(await engineOf().compact(requestOf(branch, { branch: reader }))).toEqual({ kind: 'failed', error: 'disk', retryable: false });
  });

  it('the host summarises where it is granted, and only in a form that fits', async () => {
    const branch = conversation(30, 900);
    const warnings: string[] = [];
    const asked: unknown[] = [];
    const run = (text: string): ReturnType<ReturnType<typeof engineOf>['compact']> =>
      engineOf(
        {},
        {
          granted: ['summarize'],
          warnings,
          summarize: (ask) => (
            asked.push({ ...ask, source: ask.source.length, signal: null }),
            Promise.resolve({ text, quality: 'model', model: 'm', tokens: 1 })
          ),
        },
      ).compact(requestOf(branch, { focus: 'dates' }));
    const good = segmentsOf(await run('We looked at dates. key sk-abcdefghij0123456789'))[1];
    expect(good).toMatchObject({ quality: 'model', text: { inline: 'We looked at dates. key [redacted]' }, tokens: 9 + FRAME_TOKENS });
    expect(asked[0]).toEqual({
      purpose: 'compaction',
      source: expect.any(Number) as unknown,
      focus: 'dates',
      maxTokens: expect.any(Number) as unknown,
      signal: null,
    });
    expect(segmentsOf(await run('x'.repeat(100_000)))[1]).toMatchObject({ quality: 'extract' });
    expect(segmentsOf(await run('  '))[1]).toMatchObject({ quality: 'extract' });
    expect(warnings).toHaveLength(2);
  });
});
