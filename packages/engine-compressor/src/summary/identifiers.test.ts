import { describe, expect, it } from 'vitest';
import { IdentifierIndex, identifiersIn } from './identifiers.ts';

describe('identifiers', () => {
  it.each([
    ['see src/tui/tui-renderer.ts.', 'src/tui/tui-renderer.ts'],
    ['in /Users/dev/cli/cmd/reset_test.go:12', '/Users/dev/cli/cmd/reset_test.go'],
    ["import '../../clipboard.js'", '../../clipboard.js'],
    ['open README.md now', 'README.md'],
    ['commit 2193c3dbc92c landed', '2193c3dbc92c'],
    ['id a6c3cac2-2f45-43aa-8c69-419f66a3b5e1', 'a6c3cac2-2f45-43aa-8c69-419f66a3b5e1'],
    ['reservation 4WQ150 and HAT123', '4WQ150'],
    ['fixes AB-1042', 'AB-1042'],
    ['fixes #4711', '#4711'],
    ['user mia_li_3668', 'mia_li_3668'],
    ['call canDeleteShadowBranch()', 'canDeleteShadowBranch'],
    ['type ManualCommitStrategy', 'ManualCommitStrategy'],
    ['mail me@example.org', 'me@example.org'],
    ['at https://example.org/a/b?c=1.', 'https://example.org/a/b?c=1'],
    ['set MAX_RETRY_COUNT', 'MAX_RETRY_COUNT'],
  ])('%s', (text, expected) => {
    expect(identifiersIn([text], 10)).toContain(expected);
  });

  it('plain words and base64 are none', () => {
    expect(
      identifiersIn(
        [
          'The quick brown fox, well-known in 2024, is fine.',
          'iVBORw0KGgo/AAAANSUhEUg+AAC/yblAAADElEQVR4nGP4z8AAAAMBAQDJ3pXwAAAAAElFTkSuQmCC',
        ],
        10,
      ),
    ).toEqual([]);
  });

  it('what is frequent, late and asked for stands first; a part of a path that is there is left out', () => {
    const index = new IdentifierIndex();
    index.add('old_thing', 0);
    index.add('typed_thing', 3);
    index.add('late_thing often_thing', 0);
    for (let time = 0; time < 6; time += 1) index.add('often_thing src/deep/file.ts file.ts deep/file.ts', 0);
    expect(index.ranked(3)).toEqual(['src/deep/file.ts', 'often_thing', 'typed_thing']);
    expect(index.ranked(20)).toEqual(['src/deep/file.ts', 'often_thing', 'typed_thing', 'late_thing', 'old_thing']);
  });

  it('takes long runs without a break in little time', () => {
    for (const run of ['a', 'a_', 'aB', 'A1', 'a/', '../', 'a@', 'a-', '0f', 'a.']) {
      // Anything worse than linear would run into the test's own limit here.
      expect(identifiersIn([run.repeat(160_000)], 10)).toBeDefined();
    }
  });
});
