import { checkConfig, configSchema } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
import { writeFileWhole } from '../output/pieces.ts';
import { json, line, table } from '../output/print.ts';

export async function check(file: string | undefined, options: CommonOptions): Promise<void> {
  const config = await checkConfig(file);
  if (options.json === true) json({ ok: true, files: config.files });
  else line(config.files.length === 0 ? 'ok: no file, all defaults' : `ok: ${config.files.join(', ')}`);
}

export async function explain(path: string | undefined, options: CommonOptions): Promise<void> {
  const config = await checkConfig(options.config);
  const rows = config.explain().filter((row) => path === undefined || row.path === path || row.path.startsWith(`${path}.`));
  if (options.json === true) json(rows);
  else table(rows.map((row) => [row.path, JSON.stringify(row.value), row.origin, row.file === null ? '' : `${row.file}:${String(row.line)}`]), ['key', 'value', 'from', '']);
}

export interface SchemaOptions extends CommonOptions {
  readonly output?: string;
}

/** For editors. It is JSON as it is. */
export async function schema(options: SchemaOptions): Promise<void> {
  const text = schemaText();
  if (options.output === undefined) return void process.stdout.write(text);
  const bytes = await writeFileWhole(options.output, [text]);
  if (options.json === true) json({ file: options.output, bytes });
  else line(`${options.output}: put "# yaml-language-server: $schema=${options.output}" first in palimpsest.yaml`);
}

export function schemaText(): string {
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}
