import type { Choice } from '../choose.ts';
import { counted, lineCount, listed } from '../facts.ts';
import { bash, last, read } from '../scene.ts';
import type { Seen, Turn } from '../scene.ts';

const SIZES = "for p in packages/*/; do echo \"$(find $p -name '*.ts' -not -path '*/node_modules/*' | xargs cat | wc -l) ${p%/}\"; done";

export const orientation = (choice: Choice): readonly Turn[] => [
  {
    ask: "I'm new here. Please look around the repository and tell me what it is, how it is laid out, and which packages are the big ones. Don't change anything yet.",
    steps: [
      {
        think: 'A first look: the top level, the root manifest and the README. Then the history, to see what has been worked on lately.',
        say: "I'll start at the top level.",
        calls: [bash('ls -1'), read('package.json'), read('README.md')],
      },
      { calls: [bash('git log --oneline -60'), bash('ls packages apps tools')] },
      {
        say: 'Now the workspace itself: what each package says it is, and how they depend on each other.',
        calls: [
          bash('grep -h \'"description"\' packages/*/package.json apps/*/package.json tools/*/package.json'),
          read('tsconfig.json'),
          read('nx.json'),
        ],
      },
      { calls: [bash("grep -H '\"@palimpsest/' packages/*/package.json | sed 's/packages.//; s/.package.json//'"), bash(SIZES)] },
      {
        say: 'One look at the whole tree, so that I know where things stand.',
        calls: [bash('ls -R packages | grep -v node_modules | grep -v dist')],
      },
      (seen) => ({ say: overview(seen, choice) }),
    ],
  },
  {
    ask: 'Good. Is there a written design or a set of rules that I should read before I touch anything?',
    steps: [
      {
        calls: [
          bash('ls docs docs/* | head -40'),
          bash("find . -name '*.md' -not -path '*/node_modules/*' -not -path './node_modules' | sort"),
        ],
      },
      {
        say: 'Two of these matter most to a newcomer. There may be a guide for contributors as well.',
        calls: [read('tools/boundaries/README.md'), read('packages/wiring/README.md'), read('docs/CONTRIBUTING.md')],
      },
      {
        think: 'There is no such file under docs. It usually stands at the root.',
        say: 'That last path was a guess, and wrong. It will be at the root.',
        calls: [bash('cat CONTRIBUTING.md'), read('tools/boundaries/src/policy.ts')],
      },
      {
        say: [
          'Read these, in this order:',
          '',
          '1. `CONTRIBUTING.md`: when a change is done, and how a package, an engine, an error or a key is added.',
          '2. `tools/boundaries/README.md`: the rules that are enforced. They are short, and the check names file and line when one is broken.',
          '3. `tools/boundaries/src/policy.ts`: the same as data. `MAY_IMPORT` is the dependency table: contracts at the bottom, runtime at the top, feature packages never import each other.',
          '4. `packages/wiring/README.md`, before you write a class with dependencies: every constructor parameter names its token.',
          '',
          'What surprised me most on the way: time and chance are injected. `Date.now`, `setTimeout` and `Math.random` are refused outside a few named adapters, so code that needs a clock takes a `Clock`.',
        ].join('\n'),
      },
    ],
  },
];

function overview(seen: Seen, choice: Choice): string {
  const sizes = counted(last(seen, 1));
  const [first, second, third] = sizes;
  const commits = lineCount(seen[3]?.text ?? '');
  return [
    'Palimpsest is an agent runtime whose context management is a plugin: an append-only log holds what happened, an engine chooses what the model sees, and everything else is arranged around that.',
    '',
    `The layout is a npm workspace with ${String(choice.packages().length)} packages: ${listed(choice.packages(), 30)}. Beside them \`apps\` holds the command line and a minimal host, \`tools\` what builds and checks.`,
    '',
    `By lines of TypeScript, tests included, the largest are ${[first, second, third].flatMap((pair) => (pair === undefined ? [] : [`\`${pair[0]}\` (${String(pair[1])})`])).join(', ')}. The last ${String(commits)} commits use conventional subjects with the package as scope, so \`git log --grep\` by package works well.`,
    '',
    'Dependencies point one way: everything may import `contracts`, feature packages add only `wiring`, and `runtime` is the one place that knows them all.',
  ].join('\n');
}
