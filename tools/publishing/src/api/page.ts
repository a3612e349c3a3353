/** What stands in a report and says nothing here: everything that is exported is public, and not every name needs a comment. */
const EMPTY_REMARK = /^\s*\/\/ (?:@public)? ?(?:\(undocumented\))?$|^\/\/ \(No @packageDocumentation comment/u;

export interface Section {
  readonly specifier: string;
  /** As API Extractor writes it. */
  readonly report: string;
}

/** The page of a package: a section for each entry. Pure. */
export function page(name: string, sections: readonly Section[]): string {
  const head = `# ${name}\n\nEvery name it exports, with its type. Written by \`npm run api\` from the built declarations.\n`;
  return [head, ...sections.map(({ specifier, report }) => `## ${specifier}\n\n\`\`\`ts\n${declarations(report)}\n\`\`\`\n`)].join('\n');
}

function declarations(report: string): string {
  const block = /^```ts\n(?<text>[\s\S]*)^```$/mu.exec(report)?.groups?.['text'];
  if (block === undefined) throw new Error('API Extractor wrote a report without declarations');
  const lines = block.split('\n').filter((line) => !EMPTY_REMARK.test(line));
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
