import { isPalimpsestError } from '@palimpsest/contracts';

/** Says what went wrong and gives the exit code: 2 for the user's mistakes, 1 for everything else. Never a stack. */
export function fail(error: unknown, json: boolean): number {
  const typed = isPalimpsestError(error);
  if (json) process.stderr.write(`${JSON.stringify({ error: typed ? error.toJSON() : { code: 'UNEXPECTED', message: String(error) } })}\n`);
  else process.stderr.write(typed ? `${error.code}: ${error.message}\n${error.hint === null ? '' : `  ${error.hint}\n`}` : `UNEXPECTED: ${error instanceof Error ? error.message : String(error)}\n`);
  return typed && error.kind === 'config' ? 2 : 1;
}
