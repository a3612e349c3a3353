import { expect, it } from 'vitest';
import {
  ARTIFACTS,
  CLOCK,
  EVENTS,
  GUARDED_ENGINE,
  HOOKS,
  JOURNAL,
  LADDER,
  MAINTENANCE_SETTINGS,
  RENDERER,
  SESSION_IDS,
  SESSION_TIME,
  TOKEN_COUNTER,
  VIEWS,
} from '@palimpsest/contracts';
import type { EntryId, Judgement } from '@palimpsest/contracts';
import { bind, defineModule, openHost } from '@palimpsest/wiring';
import { branchOf } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { chatLike, fourCharacters } from '../test/counting.ts';
import { FoldingJournal } from '../test/session.ts';
import { maintenanceModule } from './module.ts';

it('is wired from nothing but tokens of contracts, and writes entries with minted ids and the clock’s time', async () => {
  const journal = new FoldingJournal(branchOf([{ user: 'one' }, { says: 'x'.repeat(30_000) }, { user: 'two' }]));
  const budget = budgetOf(6_000);
  const host = openHost(
    [
      maintenanceModule,
      defineModule('around', [
        bind(TOKEN_COUNTER).toValue(fourCharacters as never),
        bind(RENDERER).toValue(chatLike as never),
        bind(CLOCK).toValue({ now: () => 0 } as never),
        bind(HOOKS).toValue({ transformRequest: [], beforeCompaction: [], guardTool: [] }),
        bind(ARTIFACTS).toValue({} as never),
        bind(MAINTENANCE_SETTINGS).toValue({ enabled: true, autoContinue: true, hygieneEnabled: true, keepRecentTokens: null }),
      ]),
    ],
    { sessionValues: [JOURNAL, VIEWS, EVENTS, GUARDED_ENGINE, SESSION_IDS, SESSION_TIME] },
  );
  const session = host.openSession([
    bind(JOURNAL).toValue(journal as never),
    bind(VIEWS).toValue({ budget: () => budget } as never),
    bind(EVENTS).toValue({ emit: () => undefined } as never),
    bind(SESSION_IDS).toValue({ entry: () => 'minted' as EntryId }),
    bind(SESSION_TIME).toValue({ now: () => 0 }),
    bind(GUARDED_ENGINE).toValue({
      name: 'e@1',
      claims: { owns: [] },
      compact: async () => Promise.resolve({ kind: 'noop', reason: 'no-gain' }),
    } as never),
  ]);
  const judged: Judgement = { tokens: 8_100, mark: 'over', metric: 'count', parts: {} };
  expect(
    (await session.get(LADDER).climb({ trigger: 'threshold', turn: null, judged, signal: new AbortController().signal })).changed,
  ).toBe(true);
  expect(journal.appends.flat()).toMatchObject([
    { kind: 'compaction', id: 'minted', time: '1970-01-01T00:00:00.000Z', turn: null, tokens: 0, by: 'host' },
  ]);
  await host.close();
});
