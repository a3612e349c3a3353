import { inert, isPalimpsestError } from '@palimpsest/contracts/plain';
import { clean } from './clean.ts';
import { columnsOf } from './columns.ts';
import { nextStep } from './next-step.ts';
import { hasBegun, out } from './stdout.ts';
import { wrapped } from './table.ts';

/**
 * Says on stderr what went wrong and what to do next; with `json` also as one value on stdout, unless something stands there already. Never a stack.
 * @returns the exit code: 2 for the user's mistakes, 1 for everything else.
 */
export function fail(error: unknown, json: boolean): number {
  const fields = fieldsOf(error);
  if (json && !hasBegun()) out(`${inert(JSON.stringify({ error: fields }, null, 2))}\n`);
  process.stderr.write(`${told(`${fields.code}: ${fields.message}`)}\n${fields.hint === null ? '' : `${told(`  ${fields.hint}`)}\n`}`);
  return fields.kind === 'config' ? 2 : 1;
}

interface Fields {
  readonly code: string;
  readonly kind: string;
  readonly message: string;
  readonly hint: string | null;
}

function fieldsOf(error: unknown): Fields {
  if (isPalimpsestError(error))
    return { ...error.toJSON(), code: error.code, kind: error.kind, message: error.message, hint: nextStep(error) };
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'UNEXPECTED',
    kind: 'internal',
    message,
    hint: 'This is a fault of palimpsest: report it together with the command. palimpsest doctor says whether all else is well.',
  };
}

/** Broken between words on a terminal, one line elsewhere. */
function told(text: string): string {
  return wrapped(clean(text), columnsOf(process.stderr), '  ');
}
