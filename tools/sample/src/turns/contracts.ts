import type { Choice } from '../choose.ts';
import { bash, last } from '../scene.ts';
import type { Turn } from '../scene.ts';
import { notes, reading } from '../reading.ts';

export const contracts = (choice: Choice): readonly Turn[] => {
  const log = choice.sources('packages/contracts/src/log', 6);
  const engine = choice.sources('packages/contracts/src/engine', 8);
  return [
    {
      ask: 'Walk me through the contracts, please: first what the log stores, then what an engine has to implement. I want to know the vocabulary before I read any implementation.',
      steps: [
        {
          think: 'The contracts package has folders for the log and the engine. Read both whole, they are types and should be short.',
          calls: [bash('wc -l packages/contracts/src/*.ts packages/contracts/src/*/*.ts'), bash('cat packages/contracts/src/index.ts')],
        },
        ...reading(log, 'The log first.'),
        (seen) => ({
          say: `${notes(log.slice(-(log.length % 3 || 3)), seen)}\n\nThat is the log. Who uses its ports?`,
          calls: [bash("grep -rln 'Log\\b' packages/*/src --include=*.ts | grep -v '\\.test\\.' | sort | head -60")],
        }),
        ...reading(
          choice.sources('packages/contracts/src', 9).filter((path) => !/log|engine|errors|index/.test(path)),
          'Then what stands between the two.',
        ),
        ...reading(engine, 'Now the engine side.'),
        (seen) => ({
          say: [
            notes(engine.slice(-(engine.length % 3 || 3)), seen),
            '',
            "In one paragraph: the log is a tree of entries that are never changed. Compaction, reduction and undo are entries as well, and what is *shown* of a branch is a fold over its path. An engine gets the branch and a budget and answers with a plan: segments that partition the branch, each shown whole, covered by a summary, or silent with a reason. It never builds the request itself. That is the renderer's work, and judging the size is the budget's.",
          ].join('\n'),
        }),
      ],
    },
    {
      ask: 'Which of those exported types are used most across the packages? Rough numbers are fine.',
      steps: [
        {
          calls: [
            bash(
              "grep -rhoE \"import type \\{[^}]*\\} from '@palimpsest/contracts'\" packages/*/src --include=*.ts | sed 's/import type {//; s/}.*//' | tr ',' '\\n' | sed 's/ //g' | grep -v '^$' | sort | uniq -c | sort -rn | head -40",
            ),
          ],
        },
        (seen) => ({
          say: `Counting type imports from \`@palimpsest/contracts\`, file by file:\n\n${last(seen)
            .split('\n')
            .slice(0, 10)
            .map((line) => line.trim().replace(/^(\d+) (.*)$/, '- `$2`: $1'))
            .join(
              '\n',
            )}\n\nSo the vocabulary to learn first is the top of that list. The tail is long: most types are imported by one or two packages only.`,
        }),
      ],
    },
  ];
};
