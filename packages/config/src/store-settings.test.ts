import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useFolders } from './folders.test-support.ts';
import { configSchema } from './schema.ts';
import { SECTIONS } from './sections.ts';
import { mayHaveStore, storeSettings } from './store-settings.ts';

const { write, path, load, failure } = useFolders();
const options = (env = {}): Parameters<typeof storeSettings>[0] => ({ projectDir: path('project'), userDir: path('user'), env });
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (reason: unknown) => reason,
  );

it('knows every section', () => {
  expect(SECTIONS).toEqual(Object.keys(configSchema.shape));
});

it.each([
  ['', { path: null, durability: 'full' }],
  ['store:\n', { path: null, durability: 'full' }],
  ['{store: {durability: normal}}', { path: null, durability: 'normal' }],
  ['store: {path: "${env:NAME}.db"}', { path: 'project/n.db', durability: 'full' }],
  ['x: &x {path: a.db}\n', 'no such key'],
  ['stroe: {path: a.db}', 'no such key'],
  ['"stor\\u0065":\n  path: b.db', { path: 'project/b.db', durability: 'full' }],
  ['store: {pth: a.db}', 'no such key'],
  ['store: {path: 3}', 'expected text'],
  ['store: {path: ""}', ''],
  ['store: {path: "${env:NONE}"}', 'NONE is not set'],
  ['store: [', ''],
  ['store: {durability: ful}', ''],
])('%j: as the whole configuration has it', async (text, expected) => {
  await write('project/palimpsest.yaml', text);
  const env = { NAME: 'n' };
  const found = await storeSettings(options(env)).catch((reason: unknown) => reason);
  if (typeof expected === 'string') {
    expect(found).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(expected) as string });
    expect(found).toEqual(await failure({ env }));
  } else {
    expect(found).toEqual({ ...expected, path: expected.path === null ? null : path(expected.path) });
    expect(found).toEqual((await load({ env })).store);
  }
});

it('takes the uppermost value of each key, from its own folder, and leaves other sections alone', async () => {
  await write('user/palimpsest.yaml', 'store: {path: user.db, durability: normal}');
  await write('project/palimpsest.yaml', 'store:\nmodels: {m: {provider: 3}}\nagent: {max_stps: 1}');
  expect(await storeSettings(options())).toEqual({ path: path('user/user.db'), durability: 'normal' });
  const file = await write('other/x.yaml', 'store: {durability: full}');
  expect(await storeSettings({ ...options(), file })).toEqual({ path: path('user/user.db'), durability: 'full' });
  expect(await thrown(storeSettings({ ...options(), file: path('none.yaml') }))).toMatchObject({ code: 'CONFIG_UNREADABLE' });
});

it('sees every store that the parser sees, whatever the text', async () => {
  const line = fc.constantFrom(
    'store: {path: a.db}',
    'store:',
    '  path: a.db',
    '"store": {path: a.db}',
    '? store',
    ': {path: a.db}',
    'agent: {max_steps: 3}',
    'agent: "',
    'prompt:',
    '  system: |',
    '  store: x',
    'store',
    '{',
    '}',
    '{store: {path: a.db}}',
    '<<: {store: {path: a.db}}',
    '---',
    '# store:',
    '\tstore: {path: a.db}',
    '\ufeffstore: {path: a.db}',
    'store : {path: a.db}',
    ' store: {path: a.db}',
    '  agent:',
    '- store',
    "'",
    '"',
    '\rstore: {path: a.db}',
    'agent: x\rstore: {path: a.db}',
    'agent: x\u0085store: {path: a.db}',
  );
  let silent = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
      await write('project/palimpsest.yaml', lines.join('\n'));
      const config = await load().catch(() => null);
      if (mayHaveStore(lines.join('\n'))) return;
      silent += 1;
      if (config !== null) expect(config.store).toEqual({ path: null, durability: 'full' });
    }),
    { seed: 5, numRuns: 600 },
  );
  expect(silent).toBeGreaterThan(20);
});
