import { checkConfig } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
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
