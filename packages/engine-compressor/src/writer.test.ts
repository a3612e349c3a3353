import { expect, it } from 'vitest';
import type { EntryId, SummarySegment } from '@palimpsest/contracts';
import { MemoryBranch } from '../test/memory-branch.ts';
import { entryBundles, loggedBundle, type Bundle } from './bundles.ts';
import { facts } from './writer.ts';

const host = { tokens: { count: () => 9, block: () => 9 }, pause: () => Promise.resolve() };
const earlier = (leftOut?: SummarySegment['leftOut']): Bundle =>
  loggedBundle(
    {
      through: 'e0' as EntryId,
      show: 'summary',
      text: { inline: 'x' },
      tokens: 7,
      quality: 'stub',
      trust: 'user',
      ...(leftOut === undefined ? {} : { leftOut }),
    },
    'x',
  );

function said(): readonly Bundle[] {
  const branch = new MemoryBranch();
  branch.user('go');
  branch.silent();
  branch.reply('done');
  return entryBundles(branch.reader().placed);
}

it.each<[string, readonly Bundle[], string, number]>([
  ['what was said', said(), '2 messages', 0],
  [
    'what an earlier line stood for, too',
    [earlier({ messages: 40, summaries: 1, tokens: 900 }), ...said()],
    '42 messages and 1 summary',
    900,
  ],
  ['an earlier summary as one', [earlier(), ...said().slice(1)], '1 message and 1 summary', 7],
  [
    'an earlier gap as nothing',
    [loggedBundle({ through: 'e0' as EntryId, show: 'nothing', reason: 'r', reach: null }, null), ...said()],
    '2 messages',
    0,
  ],
])('the line that stands where no text fits counts %s', async (_what, stretch, counted, before) => {
  const written = await facts(host, stretch, null, 1);
  expect(written).toMatchObject({ quality: 'stub', text: `[Left out here: ${counted} before; the session log has it]` });
  const own = stretch.flatMap((bundle) => (bundle.kind === 'entries' ? bundle.placed : [])).filter(({ entry }) => entry.kind === 'message');
  expect(written.leftOut).toMatchObject({ tokens: before + own.reduce((sum, { entry }) => sum + entry.tokens, 0) });
});
