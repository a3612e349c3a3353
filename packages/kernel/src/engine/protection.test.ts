import { expect, it } from 'vitest';
import type { Climb, CompactOutcome, CompactRequest, EntryId } from '@palimpsest/contracts';
import { KernelBench, TalkingModel, tool, type Opened } from '../../test/bench.ts';

type Propose = (batch: readonly EntryId[], request: CompactRequest) => CompactOutcome;

/** What comes of a proposal that is made while the model has not answered the tools' results, and what the engine is reported for. */
async function proposedMidTurn(
  propose: Propose,
): Promise<{ readonly outcome: CompactOutcome | undefined; readonly rules: readonly string[] }> {
  let outcome: CompactOutcome | undefined;
  const rules: string[] = [];
  const climb = async ({ signal, turn }: Climb): Promise<{ changed: boolean; declined: [] }> => {
    const { engine, journal, views } = opened.kit;
    const batch = journal
      .shown()
      .flatMap((unit) =>
        unit.kind === 'entry' && unit.placed.group !== unit.placed.entry.id ? [unit.placed.group, unit.placed.entry.id] : [],
      );
    const compact = (request: CompactRequest): Promise<CompactOutcome> => Promise.resolve(propose(batch, request));
    Object.assign(engine.engine, { compact });
    if (turn !== null && batch.length > 0)
      outcome ??= await engine.compact({
        trigger: 'threshold',
        goalTokens: 1,
        keepRecent: null,
        focus: null,
        protectedEntries: batch,
        budget: views.budget(null),
        signal,
      });
    return { changed: false, declined: [] };
  };
  const opened: Opened = await new KernelBench().open({
    windowTokens: 1_000,
    climb,
    model: new TalkingModel((_request, _options, call) => (call === 0 ? { calls: ['read'] } : 'done')),
    tools: [tool('read', () => Promise.resolve('row '.repeat(650)))],
  });
  opened.kit.events.on('engine.failed', ({ method, rule }) => {
    rules.push(`${method} ${rule}`);
  });
  await opened.session.send('Go').result;
  return { outcome, rules };
}

const compacted = (...segments: readonly object[]): CompactOutcome =>
  ({ kind: 'compacted', drafts: { compaction: { segments } } }) as unknown as CompactOutcome;
const summary = { show: 'summary', text: { inline: 'nothing of interest' }, tokens: 1, quality: 'model', trust: 'tool' };

it.each<[string, Propose]>([
  [
    'sums up the open batch',
    (batch, { newestUserEntry }) => compacted({ through: newestUserEntry, show: 'entries' }, { ...summary, through: batch.at(-1) }),
  ],
  [
    'shows nothing of it',
    (batch, { newestUserEntry }) =>
      compacted({ through: newestUserEntry, show: 'entries' }, { show: 'nothing', reason: 'old', reach: null, through: batch.at(-1) }),
  ],
  ['sums up the newest input', (_batch, { newestUserEntry }) => compacted({ ...summary, through: newestUserEntry })],
  [
    'shortens a result of the open batch',
    (batch) => ({
      kind: 'compacted',
      drafts: { reductions: [{ entry: batch.at(-1) as EntryId, part: null, target: 'text', text: 'x', tokens: 1, reason: 'masked' }] },
    }),
  ],
])('an engine that %s is refused and named', async (_name, propose) => {
  const { outcome, rules } = await proposedMidTurn(propose);
  expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringContaining('protected entry') as string });
  expect(rules).toEqual(['compact protected']);
});

it('a proposal that shows them is handed on', async () => {
  const { outcome, rules } = await proposedMidTurn((batch) => compacted({ through: batch.at(-1), show: 'entries' }));
  expect([outcome?.kind, rules]).toEqual(['compacted', []]);
});
