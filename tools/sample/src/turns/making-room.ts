import type { Choice } from '../choose.ts';
import { bash, last } from '../scene.ts';
import type { Turn } from '../scene.ts';
import { reading } from '../reading.ts';

export const makingRoom = (choice: Choice): readonly Turn[] => [
  theNumbers(choice.sources('packages/budget/src', 12)),
  theLadder(choice.sources('packages/maintenance/src', 14)),
];

const theNumbers = (budget: readonly string[]): Turn => ({
  model: 'sample-long',
  ask: 'Next subject: how does it decide that a request is too large? I mean the numbers: window, reserve, marks. Where do they come from?',
  steps: [
    {
      calls: [
        bash('ls packages/budget/src packages/budget/src/*/'),
        bash("grep -rnE '0\\.[0-9]+|[0-9]+_000' packages/budget/src --include=*.ts | grep -v test | head -60"),
      ],
    },
    ...reading(budget, 'The numbers stand in a few places only. Reading the package in full is quicker than guessing.'),
    {
      say: [
        'Three layers of numbers:',
        '',
        '- The **window** comes from the configuration if it is set there, else from what is known of the model.',
        '- The **effective** budget is the window less the reserve for the answer and less what every request costs anyway (system text, tool schemas).',
        '- The **marks** (`low`, `prepare`, `start`, `hard`) are shares of it, and any of them can be pinned to an absolute number of tokens.',
        '',
        'A request is judged after rendering, as it will be sent. Until usage has been reported, the count is an estimate; afterwards it is corrected by what the provider said. Long runs without a break are counted in slices, because the tokenizer takes quadratic time on them.',
      ].join('\n'),
    },
  ],
});

const theLadder = (ladder: readonly string[]): Turn => ({
  ask: 'And when it is too large, what exactly happens? I keep hearing "the ladder". Please read the maintenance package and give me the rungs in order, with what can never be dropped.',
  steps: [
    {
      think: 'The maintenance package is one of the larger ones. Read the ladder first, then its rungs and what they protect.',
      calls: [
        bash('wc -l packages/maintenance/src/*.ts | sort -rn | head -40'),
        bash("grep -rn 'maintenance' packages/kernel/src --include=*.ts | head -40"),
      ],
    },
    ...reading(ladder, 'Now the package itself, longest files first.'),
    {
      say: 'The tests say what is promised, so I want to see their names too.',
      calls: [
        bash(
          'grep -rhoE "^ *(it|test|describe)(\\.\\w+)?\\([\'\\"][^\'\\"]+" packages/maintenance/src --include=*.test.ts | sed \'s/^ *//\'',
        ),
        bash("grep -rn 'protected' packages/maintenance/src --include=*.ts | head -40"),
      ],
    },
    (seen) => ({
      say: [
        'The rungs, in the order in which they are tried:',
        '',
        '1. **Reduce**: old, large, repeated or superseded tool results are shown as a stub from now on. No model call.',
        '2. **Promote**: only where it is configured; a model with a larger window takes over for a while.',
        '3. **Compact**: the engine covers a stretch of the branch with a summary.',
        '4. **Protected trim**: only at the hard mark or after a proven overflow. Whole turns go first, then whole tool groups of the running turn, then the largest results become windows.',
        '5. **Exhausted**: a typed error that says what cannot shrink.',
        '',
        'It stops at the first rung that brings the request below `low`. Never dropped: the newest real user input, the open batch of tool calls, and the newest result per target. A call and its result are both in or both out.',
        '',
        `The tests name ${String(last(seen, 1).split('\n').length)} cases for this. If you want one place to set a breakpoint, take the function that decides the rung, not the ones that carry it out: it is pure, and its input shows everything that it knew.`,
      ].join('\n'),
    }),
  ],
});
