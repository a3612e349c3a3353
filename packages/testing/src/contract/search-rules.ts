import { describe, expect } from 'vitest';
import type { Draft, Store } from '@palimpsest/contracts';
import {
  artifactOf,
  assistantDraft,
  callDraft,
  compactionDraft,
  customDraft,
  draftOf,
  entryIdOf,
  resultDraft,
  sessionIdOf,
  sessionOf,
  userDraft,
} from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';
import { write } from './log-rules.ts';

const S = sessionIdOf('s');

async function found(store: Store, text: string, session?: typeof S): Promise<string[]> {
  const hits = await store.search.query({ text, limit: 50, ...(session === undefined ? {} : { session }) });
  return hits.map((hit) => String(hit.entry ?? hit.artifact)).sort();
}

const texts: readonly (readonly [string, string])[] = [
  ['code', 'see src/fooBar.test.ts and parse_config in class HTTPServer, also parseConfigFile("x")'],
  ['hash', 'commit 3f2a9bc1d4e5f60718293a4b5c6d7e8f90a1b2c3 done'],
  ['chinese', '我们在北京大学学习数据库'],
  ['japanese', 'データベースを検索する。日本語のテスト'],
  ['korean', '데이터베이스 검색 테스트'],
  ['cafe', 'Ein Café in Zürich; "quoted" AND (grouped) OR not* -minus'],
  ['russian', 'Привет, мир'],
];

export function searchRules(open: OpenFixture): void {
  describe('search', () => {
    wordRules(open);
    placeRules(open);
    holderRules(open);
    answerRules(open);
  });
}

function wordRules(open: OpenFixture): void {
  const asked: readonly (readonly [string, readonly string[]])[] = [
    ['fooBar', ['code']],
    ['foobar', ['code']],
    ['foo bar', ['code']],
    ['src/fooBar.test.ts', ['code']],
    ['fooBar.test.ts', ['code']],
    ['parse_config', ['code']],
    ['config', ['code']],
    ['PARSE CONFIG FILE', ['code']],
    ['parseConfigFile', ['code']],
    ['parseConf', ['code']],
    ['http server', ['code']],
    ['ConfigFile', ['code']],
    ['3f2a9bc1', ['hash']],
    ['3f2a9bc1d4e5f60718293a4b5c6d7e8f90a1b2c3', ['hash']],
    ['commit missing', []],
    ['missing commit', []],
    ['3f', []],
    ['北京', ['chinese']],
    ['大学学习', ['chinese']],
    ['数', ['chinese']],
    ['库', ['chinese']],
    ['京北', []],
    ['北大', []],
    ['検索', ['japanese']],
    ['日本語', ['japanese']],
    ['ベース', ['japanese']],
    ['데이터', ['korean']],
    ['검색', ['korean']],
    ['색검', []],
    ['CAFÉ', ['cafe']],
    ['"quoted"', ['cafe']],
    ['quoted" OR "commit', []],
    ['AND', ['cafe', 'code']],
    ['not*', ['cafe']],
    ['-minus', ['cafe']],
    ['grouped NEAR(', []],
    ['(grouped)', ['cafe']],
    ['text:Café', []],
    ['привет', ['russian']],
    ['МИР', ['russian']],
    ['', []],
    ['  "" * ', []],
    ['***', []],
  ];
  withStore(open, 'finds words, parts of identifiers and paths, prefixes and CJK text; every word has to occur', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, ...texts.map(([id, text]) => userDraft(text, { id })));
    const answers = await Promise.all(asked.map(async ([text]) => [text, await found(store, text)]));
    expect(answers).toEqual(asked.map(([text, ids]) => [text, [...ids].sort()]));
  });
}

function placeRules(open: OpenFixture): void {
  withStore(open, 'looks at all texts of entries, and at nothing that is not for reading', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    const drafts: readonly Draft[] = [
      userDraft('needle', { id: 'user' }),
      assistantDraft('a needle', { id: 'assistant' }),
      callDraft({ toolCallId: 'c', toolName: 'read', input: { path: ['deep/needle.ts'] } }, { id: 'call' }),
      resultDraft('c', 'one needle found', { id: 'result' }),
      customDraft('key', 'needle', null, { id: 'unseen' }),
      customDraft('key', null, 'needle', { id: 'shown' }),
      draftOf({ kind: 'branch-summary', left: entryIdOf('x'), summary: 'the needle' }, { id: 'summary' }),
      compactionDraft(
        [{ through: entryIdOf('x'), show: 'summary', text: { inline: 'of needle' }, tokens: 1, quality: 'stub', trust: 'user' }],
        { id: 'compaction' },
      ),
      draftOf(
        { kind: 'message', origin: 'model', message: { role: 'assistant', content: [{ type: 'reasoning', text: 'needle?' }] } },
        { id: 'reasoning' },
      ),
      draftOf(
        {
          kind: 'message',
          origin: 'model',
          message: { role: 'assistant', content: [{ type: 'opaque', provider: 'p', format: 'f', bytes: 'needle' }] },
        },
        { id: 'opaque' },
      ),
      draftOf(
        {
          kind: 'message',
          origin: 'tool',
          message: {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', output: { type: 'json', value: { a: ['needle'] } } }],
          },
        },
        { id: 'json' },
      ),
      draftOf(
        { kind: 'message', origin: 'user_input', message: { role: 'user', content: [{ type: 'image', image: 'needle' }] } },
        { id: 'image' },
      ),
    ];
    await write(store, ...drafts);
    expect(await found(store, 'needle')).toEqual(
      ['assistant', 'call', 'compaction', 'json', 'reasoning', 'result', 'shown', 'summary', 'user'].sort(),
    );
  });
}

function holderRules(open: OpenFixture): void {
  withStore(open, 'looks at artifacts that are for reading, and keeps sessions apart', async ({ store, reopen }) => {
    for (const id of ['s', 't']) await store.log.open(sessionOf(id));
    const kinds = ['offload', 'dream', 'source', 'system_prompt', 'tool_schemas', 'engine_state'];
    const artifacts = kinds.map((kind) => artifactOf(kind, `${kind} needle`, { session: S }));
    await store.artifacts.put([...artifacts, artifactOf('offload', 'long needle '.repeat(20_000), { session: sessionIdOf('t') })]);
    await write(store, userDraft('needle', { id: 'entry' }));
    const again = await (reopen?.() ?? store);
    const readable = artifacts.slice(0, 2).map(({ id }) => id);
    expect(await found(again, 'needle', S)).toEqual(['entry', ...readable].sort());
    expect(await found(again, 'needle')).toHaveLength(4);
    expect(await found(again, 'needle', sessionIdOf('t'))).toHaveLength(1);
    expect(await found(again, 'needle', sessionIdOf('nobody'))).toEqual([]);
    const [hit] = await again.search.query({ text: 'dream', limit: 1 });
    expect(hit).toMatchObject({ session: 's', entry: null, artifact: readable[1], snippet: 'dream needle' });
  });
}

function answerRules(open: OpenFixture): void {
  withStore(open, 'answers best first, at most as many as asked, with a snippet around the match', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    const far = `${'hay '.repeat(5_000)}the Needle here ${'hay '.repeat(5_000)}`;
    await write(
      store,
      userDraft(far, { id: 'far' }),
      userDraft('needle needle', { id: 'near' }),
      ...Array.from({ length: 9 }, (_, index) => userDraft(`hay ${String(index)}`)),
    );
    const hits = await store.search.query({ text: 'needle', limit: 5 });
    expect(hits.map(({ entry }) => entry)).toEqual(['near', 'far']);
    expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 0);
    expect(hits[1]?.snippet).toContain('the Needle here');
    for (const { snippet } of hits) expect(snippet.length).toBeLessThanOrEqual(400);
    expect(await store.search.query({ text: 'hay', limit: 3 })).toHaveLength(3);
    expect(await codeOf(store.search.query({ text: 'hay', limit: 0 }))).toBe('USAGE_INVALID');
  });

  withStore(open, 'sees what was written a moment ago', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    for (let index = 0; index < 30; index += 1) {
      await write(store, userDraft(`word${String(index)}`, { id: `e${String(index)}` }));
      expect(await found(store, `word${String(index)}`)).toEqual([`e${String(index)}`]);
    }
  });
}
