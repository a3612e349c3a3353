import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '@palimpsest/testing';
import { snippetOf } from './snippet.ts';
import { denseCount, indexedText, matchQuery, needles } from './words.ts';

describe('indexedText', () => {
  it('of a dump takes both ends', () => {
    const { words } = indexedText(`first ${'between '.repeat(200_000)} last`);
    expect(words.startsWith('first between')).toBe(true);
    expect(words.endsWith('last')).toBe(true);
    expect(words.length).toBeLessThan(600_000);
  });

  it.each([
    ['Hello, World!', 'hello world', ''],
    ['parseConfigFile HTTPServer', 'parseconfigfile httpserver parse config file http server', ''],
    ['snake_case src/a.ts', 'snake case src a ts', ''],
    ['Café Zürich naïve', 'cafe zurich naive', ''],
    ['数据库 abc', 'abc', '数据 据库 库'],
    ['データ、検索', '', 'デー ータ タ 検索 索'],
    ['ｆｕｌｌ １２', 'full 12', ''],
    ['', '', ''],
    ['--- "" \u0000', '', ''],
  ])('of %j', (text, words, pairs) => {
    expect(indexedText(text)).toEqual({ words, pairs });
  });

  it('keeps the beginning of a blob only', () => {
    expect(indexedText('f'.repeat(500)).words).toHaveLength(64);
  });

  it('never hands the index anything it would split in another way, nor an operator', () => {
    fc.assert(
      fc.property(anyText(60), (text) => {
        const { words, pairs } = indexedText(text);
        // eslint-disable-next-line no-control-regex -- none of them may be left
        expect(`${words} ${pairs}`).not.toMatch(/[\u0001-\u001f!-/:-@[-`{-\u007f]/);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('matchQuery', () => {
  it.each([
    ['foo bar', '"foo" AND "bar" *', null],
    ['src/fooBar.ts', '"src foobar ts"', null],
    ['src/fooBar', '"src foobar" *', null],
    ['ConfigFile x', '("configfile" OR "config file") AND "x"', null],
    ['a"b OR c*', '"a b" AND "or" AND "c"', null],
    ['数据库', null, '"数据" AND "据库"'],
    ['库', null, '"库" *'],
    ['v2数据', '"v2"', '"数据"'],
    ['foo ***', '"foo" *', null],
  ])('of %j', (text, words, pairs) => {
    expect(matchQuery(text)).toMatchObject({ words, pairs });
  });

  it('is null where there is no word', () => {
    expect(matchQuery(' "" * - ')).toBeNull();
  });
});

describe('denseCount', () => {
  it('counts whole runs', () => {
    expect([denseCount('北京大学 北京', '北京'), denseCount('北京大学', '北学')]).toEqual([2, 0]);
  });
});

describe('snippetOf', () => {
  it('is at most 400 characters around the longest word', () => {
    const text = `${'hay '.repeat(500)}Needle in ${'hay '.repeat(500)}`;
    const snippet = snippetOf(text, needles('in needle'));
    expect(snippet).toHaveLength(400);
    expect(snippet.indexOf('Needle')).toBe(100);
  });

  it('finds a word behind accents, and takes the beginning where it finds none', () => {
    expect(snippetOf(`${'x '.repeat(600)}Ein Café`, ['cafe'])).toContain('Café');
    expect(snippetOf('short', ['missing'])).toBe('short');
    expect(snippetOf('', ['missing'])).toBe('');
  });

  it('never cuts a surrogate pair', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (before, after) => {
        const snippet = snippetOf(`${'x'.repeat(before)}${'🎉'.repeat(300)}word${'x'.repeat(after)}${'🎉'.repeat(300)}`, ['word']);
        expect(snippet.isWellFormed()).toBe(true);
        expect(snippet).toContain('word');
      }),
      { seed: 7 },
    );
  });
});
