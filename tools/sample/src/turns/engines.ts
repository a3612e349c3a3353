import type { Choice } from '../choose.ts';
import { summaryLine } from '../facts.ts';
import { bash, read } from '../scene.ts';
import type { Turn } from '../scene.ts';
import { reading } from '../reading.ts';

export const engines = (choice: Choice): readonly Turn[] => {
  const own = choice.sources('packages/engine-compressor/src', 17);
  const kit = choice.sources('packages/plugin-kit/src', 5);
  return [
    {
      ask: 'Suppose I want to write my own engine. Read the built-in compressor and the kit, and tell me the least I have to write, and which of its decisions I would most likely want to change.',
      steps: [
        {
          calls: [
            read('packages/engine-compressor/plugin.yaml'),
            read('packages/engine-compressor/README.md'),
            bash('ls -R packages/plugin-kit/src packages/engine-compressor/src'),
          ],
        },
        ...reading(kit, 'The kit first: it is what an author imports.'),
        ...reading(own, "Now the built-in engine, which is loaded through the same manifest as a stranger's."),
        ...reading(choice.sources('packages/engine-compressor/src', 3, true), 'Its tests, because they say what it promises.'),
        { say: 'Last, how one is found and loaded.', calls: choice.sources('packages/plugins/src', 5).map((path) => read(path)) },
        {
          think: 'Sum up: least effort path, then decisions worth changing. Keep it practical.',
          say: [
            'The least is a folder with a `plugin.yaml` and a module that exports what `defineContextEngine` returns. `plan` is the only method you cannot do without; `begin`, `compact` and `commit` have defaults that do nothing.',
            '',
            'Decisions of the compressor that I would expect you to change:',
            '',
            '- **What stays whole.** It keeps the first few messages and the newest tail. If your sessions have a long middle that matters (a plan, a decision), keep by kind and not by position.',
            '- **What a summary holds.** It keeps goals, decisions, files and identifiers as lists. For other work than programming those headings are wrong.',
            '- **How much room it makes.** `target_ratio` is a share of the threshold. Smaller means fewer compactions and a worse memory.',
            '',
            'Everything else (fitting, pairs, the newest input, accounting) is checked by the host after you planned, and a plan that breaks a rule comes back once with the rule named.',
          ].join('\n'),
        },
      ],
    },
    {
      ask: "Run the engine's tests and the kit's, please. Also try the plan check on its own: is there a test that shows what happens to a bad plan?",
      steps: [
        {
          calls: [
            bash('vitest run packages/engine-compressor packages/plugin-kit packages/plugins 2>&1 | tail -60'),
            bash("grep -rln 'PLAN_INVALID\\|enginePlanInvalid' packages --include=*.ts | grep -v dist"),
          ],
        },
        {
          say: 'The check lives in the kernel, next to the guard.',
          calls: [read('packages/kernel/src/plan-check.ts'), bash("grep -rn 'rule:' packages/kernel/src --include=*.ts | head -40")],
        },
        (seen) => ({
          say: `"${summaryLine(seen[0]?.text ?? '', /Tests\s/)}" for the three packages. A bad plan is not patched: the check gives back each broken rule with its name, the engine may answer once more, and after that the configured policy for engine failures applies for the rest of the turn.`,
        }),
      ],
    },
  ];
};
