import { isPalimpsestError } from '@palimpsest/contracts/plain';
import { clean, cleanJson } from './clean.ts';
import { nextStep } from './next-step.ts';
import { wrapped } from './table.ts';

/** Says what went wrong and what to do next, and gives the exit code: 2 for the user's mistakes, 1 for everything else. Never a stack. */
export function fail(error: unknown, json: boolean): number {
  if (!isPalimpsestError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(json ? `${cleanJson(JSON.stringify({ error: { code: 'UNEXPECTED', message: String(error) } }))}\n` : `UNEXPECTED: ${clean(message)}\n`);
    return 1;
  }
  const hint = nextStep(error);
  if (json) process.stderr.write(`${cleanJson(JSON.stringify({ error: { ...error.toJSON(), hint } }))}\n`);
  else process.stderr.write(clean(`${told(`${error.code}: ${error.message}`)}\n${hint === null ? '' : `${told(`  ${hint}`)}\n`}`));
  return error.kind === 'config' ? 2 : 1;
}

/** Broken between words on a terminal, one line elsewhere. */
function told(text: string): string {
  return wrapped(text, process.stderr.isTTY ? process.stderr.columns : null, '  ');
}
