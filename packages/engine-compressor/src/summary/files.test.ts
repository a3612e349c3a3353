import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Json } from '@palimpsest/contracts';
import { anyJson } from '@palimpsest/testing';
import { touchedFiles } from './files.ts';

const touched = (name: string, input: Json): readonly [string, string] => {
  const { read, modified } = touchedFiles(name, input, false);
  return [read.join(' '), modified.join(' ')];
};

describe('touched files', () => {
  it.each<[string, Json, string, string]>([
    ['read', { path: 'src/a.ts' }, 'src/a.ts', ''],
    ['Read', { file_path: '/x/a.ts' }, '/x/a.ts', ''],
    ['Write', { file_path: '/x/a.ts', content: 'z' }, '', '/x/a.ts'],
    ['multi_edit', { filename: 'a b.md' }, '', 'a b.md'],
    ['NotebookEdit', { notebook_path: 'n.ipynb' }, '', 'n.ipynb'],
    ['read_many', { paths: ['a.ts', 'b.ts', 3] }, 'a.ts b.ts', ''],
    ['str_replace_editor', { command: 'view', path: 'a.py' }, 'a.py', ''],
    ['str_replace_editor', { command: 'str_replace', path: 'a.py' }, '', 'a.py'],
    ['grep', { path: 'src', pattern: 'x' }, '', ''],
    ['read', { path: 'https://example.org' }, '', ''],
    ['bash', { command: 'cat src/a.ts | head' }, 'src/a.ts', ''],
    ['bash', { command: 'head -n 20 src/a.ts > out/b.txt 2>/dev/null' }, 'src/a.ts', 'out/b.txt'],
    ['bash', { command: 'make >> logs/x.log 2>&1; echo a | tee -a y.log' }, '', 'logs/x.log y.log'],
    ['bash', { command: "sed -i 's/a/b/' src/a.ts && ls" }, '', 'src/a.ts'],
    ['bash', { command: "cat > src/new.ts <<'EOF'\nif (a > b.c) return x => y.z;\nEOF" }, '', 'src/new.ts'],
    ['bash', { command: 'if [ $a -gt 3 ]; then echo "a -> b"; fi' }, '', ''],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: src/b.ts\n' }, '', 'src/a.ts src/b.ts'],
    ['apply_patch', '*** Update File: src/a.ts\n', '', 'src/a.ts'],
    ['bash', { command: 'git apply <<X\n--- a/src/c.ts\n+++ b/src/c.ts\nX' }, '', 'src/c.ts'],
  ])('%s %j', (name, input, read, modified) => {
    expect(touched(name, input)).toEqual([read, modified]);
  });

  it('a failed call touched nothing that is known of', () => {
    expect(touchedFiles('write', { path: 'a.ts' }, true)).toEqual({ read: [], modified: [] });
  });

  it('takes any arguments', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(anyJson(), fc.record({ path: anyJson(), command: anyJson(), paths: anyJson() })), (name, input) => {
        for (const path of [...touchedFiles(name, input, false).read, ...touchedFiles(name, input, false).modified])
          expect(path).not.toMatch(/\n/u);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
