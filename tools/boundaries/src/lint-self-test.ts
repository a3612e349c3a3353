import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PLANTED = at('../planted/faults.ts');

/** Lints the planted file as the repository's own and tells what differs from what its comments announce. */
export async function lintDifferences(): Promise<readonly string[]> {
  const eslint = new ESLint({
    cwd: at('../../..'),
    ignore: false,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { project: [at('../planted/tsconfig.json')] } } }],
  });
  const results = await eslint.lintFiles([PLANTED]);
  const found = results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${String(line)} ${ruleId ?? message}`));
  const announced = readFileSync(PLANTED, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\/\/ ((@typescript-eslint\/)?[a-z-]+)$/g)].map((match) => `${String(index + 1)} ${match[1] ?? ''}`),
    );
  return [
    ...announced.filter((each) => !found.includes(each)).map((each) => `escaped: line ${each}`),
    ...found.filter((each) => !announced.includes(each)).map((each) => `not announced: line ${each}`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const differences = await lintDifferences();
  for (const difference of differences) console.error(`lint self-test: ${difference}`);
  if (differences.length === 0) console.log('lint self-test: every planted fault was found');
  process.exitCode = differences.length === 0 ? 0 : 1;
}
