import { lineCount, listed } from '../facts.ts';
import { bash, edit, last, read, write } from '../scene.ts';
import type { Turn } from '../scene.ts';

const SCRIPT = `import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const catalogue = readFileSync('packages/contracts/src/errors/catalogue.ts', 'utf8');
const factories = [...catalogue.matchAll(/^  (\\w+): \\(/gm)].map((match) => match[1]);
const used = execFileSync('grep', ['-rhoE', 'errors\\\\.\\\\w+', 'packages', 'apps', '--include=*.ts'], { encoding: 'utf8' });
const counts = new Map(factories.map((name) => [name, 0]));
for (const line of used.trim().split('\\n')) {
  const name = line.slice('errors.'.length);
  if (counts.has(name)) counts.set(name, counts.get(name) + 1);
}
for (const [name, count] of counts) console.log(String(count).padStart(4), name);
`;

export const catalogue = (): readonly Turn[] => [
  {
    ask: 'I would like to know which errors of the catalogue are never raised anywhere. Write a small script for it under scripts/, run it, and show me the list.',
    steps: [
      {
        think:
          'The catalogue is one object with a factory per code. Count uses of `errors.name` outside the catalogue. A plain script is enough.',
        calls: [
          read('packages/contracts/src/errors/catalogue.ts'),
          read('packages/contracts/src/errors/palimpsest-error.ts'),
          bash("grep -rn 'errors\\.' packages apps --include=*.ts | grep -v node_modules | grep -v '/dist/' | wc -l"),
        ],
      },
      {
        say: 'The factories are the top-level keys of one object, so a line-based script will do.',
        calls: [write('scripts/unused-errors.mjs', SCRIPT)],
      },
      { calls: [bash('node scripts/unused-errors.mjs')] },
      {
        think:
          'It counts node_modules links and dist folders too if they exist, and tests. Only files that git knows should count, and tests should not.',
        say: 'Two flaws: it also counts tests, and whatever else lies below those folders. Only tracked sources should count.',
        calls: [
          edit(
            'scripts/unused-errors.mjs',
            "execFileSync('grep', ['-rhoE', 'errors\\\\.\\\\w+', 'packages', 'apps', '--include=*.ts'], { encoding: 'utf8' })",
            "execFileSync('git', ['grep', '-hoE', 'errors\\\\.[A-Za-z]+', '--', 'packages/*.ts', 'apps/*.ts', ':!*.test.ts'], { encoding: 'utf8' })",
          ),
        ],
      },
      { calls: [bash('node scripts/unused-errors.mjs | sort -n'), bash('git status --short')] },
      (seen) => {
        const rows = last(seen, 1).split('\n');
        const idle = rows.filter((line) => /^\s*0 /.test(line)).map((line) => line.trim().slice(2));
        return {
          say: `${String(rows.length)} factories, ${idle.length === 0 ? 'and every one of them is raised somewhere' : `${String(idle.length)} of them never raised outside tests: ${listed(idle, 20)}`}. A factory that is only raised through a variable would escape this count. The script is \`scripts/unused-errors.mjs\`; it is not committed.`,
        };
      },
    ],
  },
  {
    ask: 'Thanks. Is the page docs/errors.md still what the catalogue says? And remove your script again, I only wanted the answer.',
    steps: [
      { calls: [bash('npm run -s docs:fresh'), bash('rm -r scripts && git status --short')] },
      (seen) => ({
        calls: [bash("grep -c '^| `' docs/errors.md"), bash("sed -n '1,60p' docs/errors.md")],
        say:
          seen.at(-2)?.failed === true
            ? 'The check objects; let me look at the page itself.'
            : 'The check is content. A look at the page itself, to be sure that it is not content with an empty one.',
      }),
      (seen) => ({
        say: `The page has ${last(seen, 1).split('\n')[0] ?? '0'} codes in ${String(lineCount(last(seen)) > 50 ? 'tables by area' : 'one short table')}, and ${seen[0]?.failed === true ? 'the check says that it is stale: `npm run docs` writes it anew' : 'the check says that it is what the catalogue says'}. The script is gone and the working tree is clean again.`,
      }),
    ],
  },
];
