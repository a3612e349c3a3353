import { checkConfig, configFindings, configSchema, type ConfigFindings } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
import { outputFile, writeFileWhole, writePieces } from '../output/pieces.ts';
import { json, line, table } from '../output/print.ts';

export async function check(file: string | undefined, options: CommonOptions): Promise<void> {
  const { files, faults } = await configFindings(file);
  if (options.json === true) json({ ok: faults.length === 0, files, faults });
  else if (faults.length === 0) line(files.length === 0 ? 'ok: no file, all defaults' : `ok: ${files.join(', ')}`);
  else for (const fault of faults) line(faultLine(fault));
  if (faults.length > 0) process.exitCode = 2;
}

/** `file:line:column: path: problem`, as editors and terminals find their way by it. */
function faultLine({ at, path, problem, near }: ConfigFindings['faults'][number]): string {
  const place = at === null ? '' : `${at.file}:${String(at.line)}:${String(at.column)}: `;
  return `${place}${path === '' ? '' : `${path}: `}${problem}${near === null ? '' : `; did you mean "${near}"?`}`;
}

export async function explain(path: string | undefined, options: CommonOptions): Promise<void> {
  const config = await checkConfig(options.config);
  const rows = config.explain(path);
  if (options.json === true) json(rows);
  else if (rows.length === 0) line(`${path ?? ''}: not set`);
  else
    table(
      rows.map((row) => [row.path, JSON.stringify(row.value), row.origin, row.file === null ? '' : `${row.file}:${String(row.line)}`]),
      ['key', 'value', 'from', 'place'],
    );
}

export interface SchemaOptions extends CommonOptions {
  readonly output?: string;
}

/** For editors. It is JSON as it is. */
export async function schema(options: SchemaOptions): Promise<void> {
  const text = schemaText();
  const output = await outputFile(options.output);
  if (output === null) return writePieces([text]);
  const bytes = await writeFileWhole(output, [text]);
  if (options.json === true) json({ file: output, bytes });
  else line(`${output}: put "# yaml-language-server: $schema=${output}" first in palimpsest.yaml`);
}

export function schemaText(): string {
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}
