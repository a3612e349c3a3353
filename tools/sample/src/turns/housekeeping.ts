import type { Choice } from '../choose.ts';
import { lineCount, summaryLine } from '../facts.ts';
import { bash, edit, last, read, write } from '../scene.ts';
import type { Turn } from '../scene.ts';
import { reading } from '../reading.ts';

const NOTES = `# Reading order

1. \`packages/contracts\`: the vocabulary.
2. \`packages/kernel/src/turn.ts\`: one turn on one screen.
3. \`packages/maintenance\`: what happens when a request is too large.
4. \`packages/engine-compressor\`: one engine, from plan to summary.
`;

export const housekeeping = (choice: Choice): readonly Turn[] => [imports(choice), readingOrder(), theStore(choice), goodbye()];

const imports = (choice: Choice): Turn => ({
  ask: 'One more thing about imported sessions: where are the formats told apart, and what does it do with a file whose last line is cut off?',
  steps: [
    {
      calls: [
        bash('ls -R packages/transcripts/src'),
        bash("grep -rniE 'torn|cut off|truncat' packages/transcripts/src --include=*.ts | head -40"),
      ],
    },
    ...reading(choice.sources('packages/transcripts/src', 16), 'I will read the package rather than guess from names.'),
    (seen) => ({
      say: `The formats are told apart by what the records look like, never by the file name. A file of lines loses only its cut last line, and says so in the list of what was skipped; a single document that ends in its middle is refused with \`TRANSCRIPT_TORN\`, because half a document can mean anything. Nothing is dropped silently: whatever is not imported is listed with its line and a reason. (${String(seen.length)} files and searches for this answer; the tests with damaged files are in the same folder.)`,
    }),
  ],
});

const readingOrder = (): Turn => ({
  ask: 'Please write what you told me about the reading order into docs/reading-order.md, short. Then run the boundary check, so that I know that you broke nothing.',
  steps: [
    { calls: [write('docs/reading-order.md', NOTES)] },
    {
      calls: [
        bash('node tools/boundaries/src/main.ts --self-test'),
        bash('node tools/boundaries/src/main.ts | tail -15'),
        bash('npx prettier --check docs/reading-order.md'),
      ],
    },
    {
      say: 'The store belongs in that list too: whoever debugs will want to look into the database.',
      calls: [
        edit(
          'docs/reading-order.md',
          '4. `packages/engine-compressor`',
          '4. `packages/store`: what is written, and when.\n5. `packages/engine-compressor`',
        ),
        edit('docs/reading-order.md', '6. `packages/runtime`', '6. `packages/runtime`: the composition'),
      ],
    },
    {
      think: 'The second edit named a line that does not exist. Nothing to repair: it changed nothing. Check the file.',
      say: 'My second edit looked for a line that is not there, and changed nothing. The file as it is now:',
      calls: [read('docs/reading-order.md'), bash('git status --short && git diff --stat')],
    },
    (seen) => ({
      say: `\`docs/reading-order.md\` has ${String(lineCount(last(seen, 1)))} lines and is not committed yet. The self-test of the boundary check says "${summaryLine(seen[1]?.text ?? '', /self-test/)}", and the check itself ends with "${summaryLine(seen[2]?.text ?? '', /boundaries:/)}".`,
    }),
  ],
});

const theStore = (choice: Choice): Turn => ({
  ask: 'Last question for today. How is the store laid out, which tables are there, and is anything ever updated in place?',
  steps: [
    {
      calls: [
        bash("grep -rniE 'create (virtual )?(table|index)' packages/store/src --include=*.ts"),
        bash("grep -rniE '\\b(update|delete from|insert or replace)\\b' packages/store/src --include=*.ts | grep -v test | head -40"),
      ],
    },
    ...reading(choice.sources('packages/store/src', 16), 'Now the code around those statements.'),
    { calls: [bash('vitest run packages/store packages/testing 2>&1 | tail -40')] },
    (seen) => ({
      say: [
        `The tables are the ${String(lineCount(seen[0]?.text ?? ''))} statements of the first search: entries, sessions, artifacts with their chunks, leases, and the word index. One worker thread owns the database; everything else talks to it by messages.`,
        '',
        'Entries are only ever inserted. What is updated in place is bookkeeping: the leaf of a session, the lease, the state of the index. An append is one transaction that checks the fence and the leaf first, so two writers cannot both win.',
        '',
        `The store's own tests end with "${summaryLine(last(seen), /Tests\s/)}".`,
      ].join('\n'),
    }),
  ],
});

const goodbye = (): Turn => ({
  ask: 'That was helpful. Sum up in five sentences what I should remember, and leave docs/reading-order.md uncommitted; I will do that myself.',
  steps: [
    { calls: [bash('git status --short'), bash('git log --oneline -3')] },
    {
      say: 'The log is the truth and only grows; everything the model sees is derived from it and can be derived again. An engine chooses, the renderer writes, the budget judges, and a fault is always one of those three. Making room goes up a fixed ladder, once per request, and stops as soon as there is room. Packages depend downwards only, and a check with a self-test holds that. `docs/reading-order.md` is in your working tree, uncommitted.',
    },
  ],
});
