import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ENGINE_NAME, errors, messageOf } from '@palimpsest/contracts';

/** Texts of a plugin that passes the kit as it is. Pure. */
export function pluginFiles(name: string): Readonly<Record<string, string>> {
  return {
    'plugin.yaml': manifestText(name),
    'index.ts': engineText(name),
    'engine.test.ts': testText(name),
    'README.md': readmeText(name),
  };
}

/** Writes a new plugin into `parent/name`. A folder that is there already is left alone. @throws USAGE_INVALID. */
export async function newPlugin(name: string, parent: string): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  requireEngineName(name);
  const folder = join(parent, name);
  await mkdir(dirname(folder), { recursive: true });
  try {
    await mkdir(folder);
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    throw errors.usageInvalid(
      isThere ? `${folder} is there already; nothing was written.` : `${folder} cannot be made: ${messageOf(thrown)}`,
      'Choose another name, or another folder with --in.',
    );
  }
  const files = Object.entries(pluginFiles(name));
  try {
    for (const [file, text] of files) await writeFile(join(folder, file), text, { flag: 'wx' });
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw errors.fileUnwritable(folder, thrown);
  }
  return { folder, files: files.map(([file]) => join(folder, file)) };
}

/** @throws USAGE_INVALID. */
export function requireEngineName(name: string): void {
  if (!ENGINE_NAME.test(name))
    throw errors.usageInvalid(`"${name}" cannot name an engine.`, 'At most 64 lower-case letters, digits and dashes, a letter first.');
}

function manifestText(name: string): string {
  return `name: ${name}
version: 0.1.0
contract: ^1.0
description: Keeps the newest part whole and stands one line for the rest.
main: index.ts
provides: [context-engine]
# Written by \`palimpsest engine sync\` from the schema in index.ts.
options:
  $schema: https://json-schema.org/draft/2020-12/schema
  type: object
  properties:
    keep_tokens:
      default: 4000
      type: integer
      minimum: 0
      maximum: 9007199254740991
  additionalProperties: false
`;
}

function engineText(name: string): string {
  return `import { defineContextEngine, everything, groupsOldestFirst, segmentsFrom, type CompactOutcome, type CompactRequest, type EngineHost, type Group } from '@palimpsest/plugin-kit';
import { z } from 'zod';

const options = z.strictObject({ keep_tokens: z.int().min(0).default(4000) });
type Host = EngineHost<z.output<typeof options>>;

export default defineContextEngine({
  name: '${name}',
  version: '0.1.0',
  options,
  create: (host) => ({ plan: everything, compact: (request) => compact(request, host) }),
});

async function compact(request: CompactRequest, host: Host): Promise<CompactOutcome> {
  const { branch, goalTokens } = request;
  if (branch.shownTokens <= goalTokens) return { kind: 'noop', reason: 'under-mark' };
  const groups: Group[] = [];
  for await (const group of groupsOldestFirst(branch, null)) groups.push(group);
  const older = groups.slice(0, edge(groups, request, host.options.keep_tokens));
  const text = \`[\${String(older.flatMap(({ placed }) => placed).length)} earlier entries are left out here; the session log has them]\`;
  const tokens = host.tokens.block(text);
  const last = older.at(-1);
  if (last === undefined || tokens >= older.reduce((sum, { shownTokens }) => sum + shownTokens, 0)) {
    return { kind: 'irreducible', floorTokens: branch.shownTokens, parts: {}, advice: ['Keep fewer tokens: keep_tokens.'] };
  }
  const segments = segmentsFrom([{ through: last.through, showing: { show: 'summary', text: { inline: text }, tokens, quality: 'stub', trust: 'external' } }]);
  return { kind: 'compacted', drafts: { compaction: { segments } } };
}

/** Everything before the tail, and before whatever has to stay. */
function edge(groups: readonly Group[], { newestUserEntry, protectedEntries }: CompactRequest, keepTokens: number): number {
  const stays = new Set<string | null>([newestUserEntry, ...protectedEntries]);
  const first = groups.findIndex(({ placed }) => placed.some(({ entry }) => stays.has(entry.id)));
  let tokens = 0;
  const tail = groups.findLastIndex(({ shownTokens }) => (tokens += shownTokens) > keepTokens) + 1;
  return Math.min(first < 0 ? groups.length : first, tail);
}
`;
}

function testText(name: string): string {
  return `import { conformance } from '@palimpsest/conformance/vitest';
import ${identifier(name)} from './index.ts';

conformance(${identifier(name)});
`;
}

function readmeText(name: string): string {
  return `# ${name}

A context engine for Palimpsest. In \`palimpsest.yaml\`:

\`\`\`yaml
context:
  engine: ${name}
  engines:
    ${name}:
      keep_tokens: 4000
\`\`\`

In this folder:

\`\`\`sh
palimpsest engine check .            # does it keep the contract?
palimpsest engine sync .             # after a change of the options' schema
\`\`\`

In the project that has this folder under \`plugins/context_engine\`, once, and again whenever its files change:

\`\`\`sh
palimpsest engine trust ${name}
\`\`\`
`;
}

/** `my-engine` → `myEngineEngine`: never a word of the language. */
function identifier(name: string): string {
  return `${name.replaceAll(/-+([a-z0-9]?)/gu, (_, letter: string) => letter.toUpperCase())}Engine`;
}
