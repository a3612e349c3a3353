import { configRows } from './config-rows.ts';
import type { ConfigRow, Schema } from './config-rows.ts';
import { cell } from './table.ts';

const HEAD = `# Configuration

Written by \`npm run docs\` from the schema of \`packages/config\` and the options of the engines that come along; do not edit.

The keys of \`palimpsest.yaml\`. An empty file is valid. \`palimpsest config explain\` prints each value in force and where it came from;
\`palimpsest config schema\` prints the JSON Schema for an editor. \`<name>\` stands for a name that you choose.
`;

/** The page of all keys, one table per section of the file. */
export function configPage(schema: Schema): string {
  const sections = Object.entries(schema.properties ?? {}).map(([key, section]) => {
    const lead = section.description === undefined ? '' : `${section.description}\n\n`;
    const lines = configRows(section, key).map(lineOf);
    return `\n## ${key}\n\n${lead}| key | takes | default | owner | meaning |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return HEAD + sections.join('');
}

const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``);

const lineOf = ({ path, takes, preset, owner, meaning }: ConfigRow): string =>
  `| ${code(path)} | ${cell(takes)} | ${code(preset)} | ${cell(owner === '' ? 'the engine' : owner)} | ${cell(meaning)} |`;
