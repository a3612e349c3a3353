import { isPalimpsestError } from '@palimpsest/contracts/plain';
import { nextStep } from './next-step.ts';

/** Says what went wrong and what to do next, and gives the exit code: 2 for the user's mistakes, 1 for everything else. Never a stack. */
export function fail(error: unknown, json: boolean): number {
  if (!isPalimpsestError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(json ? `${JSON.stringify({ error: { code: 'UNEXPECTED', message: String(error) } })}\n` : `UNEXPECTED: ${message}\n`);
    return 1;
  }
  const hint = nextStep(error);
  if (json) process.stderr.write(`${JSON.stringify({ error: { ...error.toJSON(), hint } })}\n`);
  else process.stderr.write(`${error.code}: ${error.message}\n${hint === null ? '' : `  ${hint}\n`}`);
  return error.kind === 'config' ? 2 : 1;
}
