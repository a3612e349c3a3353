import type { Choice } from '../choose.ts';
import { lineCount } from '../facts.ts';
import { bash, last, read } from '../scene.ts';
import type { Turn } from '../scene.ts';
import { reading } from '../reading.ts';

export const theTurn = (choice: Choice): readonly Turn[] => {
  const around = choice.sources('packages/kernel/src', 22).filter((path) => !path.endsWith('/turn.ts') && !path.endsWith('/index.ts'));
  return [
    {
      ask: "How does one turn run, from the user's text to the final answer? Read packages/kernel/src/turn.ts and everything it leans on, and explain it to me like to someone who will have to debug it.",
      steps: [
        {
          think: 'Start with turn.ts and its imports, then the rest of the kernel by size.',
          calls: [read('packages/kernel/src/turn.ts'), bash('grep -n "from \'./" packages/kernel/src/turn.ts')],
        },
        ...reading(around, 'That is compact. The real work is in what it calls, so I will read the kernel around it.'),
        {
          say: 'Before I sum up, the places that end a turn early.',
          calls: [
            bash(
              'grep -rnE "\'(exhausted|aborted|failed|step-limit|cut)\'" packages/kernel/src packages/contracts/src --include=*.ts | head -60',
            ),
            bash("grep -rn 'errors\\.' packages/kernel/src --include=*.ts | grep -v test | head -60"),
          ],
        },
        (seen) => ({
          say: [
            `\`turn.ts\` is ${String(lineCount(seen[0]?.text ?? ''))} lines and reads top to bottom:`,
            '',
            "1. **submit** holds the lease, repairs calls that a crash left open, relieves pressure for what comes in, and appends the user's entry. The id of that entry is the id of the turn.",
            '2. **prepare** asks the engine for a plan, has it rendered, and has the request judged. At or above the start mark the ladder climbs once and the view is assembled again; the second view is only measured.',
            '3. **record** appends the step together with the reply, runs the tools that were asked for, and appends their results.',
            '4. The loop goes on until no tool is asked for, or a limit, an abort or exhaustion ends it; then the turn is settled whatever happened.',
            '',
            `For debugging: every refusal is a typed error (${String(lineCount(last(seen)))} call sites in the kernel), and each step leaves an entry that holds the plan and the judgement. When a request looks wrong, look at the step first, then ask which of the three went wrong: choosing, rendering or judging.`,
          ].join('\n'),
        }),
      ],
    },
  ];
};
