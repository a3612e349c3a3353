import pc from 'picocolors';
import { doctor as examine, type Check } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
import { cleanLine } from '../output/clean.ts';
import { json, prose, styledLine, terminalColumns } from '../output/print.ts';
import { wrapped } from '../output/table.ts';

const SHOWN: Readonly<Record<Check['status'], (text: string) => string>> = { pass: pc.green, warn: pc.yellow, fail: pc.red };

/** Exit code 1 when something failed. */
export async function doctor(options: CommonOptions): Promise<void> {
  const checks = await examine({ nodeVersion: process.version, ...(options.config === undefined ? {} : { config: options.config }) });
  if (options.json === true) json(checks);
  else for (const check of checks) show(check);
  if (checks.some(({ status }) => status === 'fail')) process.exitCode = 1;
}

function show({ what, status, found, fix }: Check): void {
  const text = wrapped(cleanLine(`${status.toUpperCase()}  ${what}: ${found}`), terminalColumns(), '      ');
  styledLine(SHOWN[status](text.slice(0, status.length)) + text.slice(status.length));
  if (fix !== null) prose(`      ${fix}`, '      ');
}
