import { errors, type PalimpsestError } from '@palimpsest/contracts/plain';

/** What commander says of a command line, as an error of ours: `error: unknown command 'x'`, and perhaps `(Did you mean y?)` on a line of its own. */
export function mistyped(message: string): PalimpsestError {
  const [first = '', ...rest] = message.split('\n');
  const [, near] = /\(Did you mean (.+)\?\)/u.exec(rest.join(' ')) ?? [];
  return errors.usageInvalid(first.replace(/^error: /u, ''), `${near === undefined ? '' : `Did you mean ${near}? `}See palimpsest --help`);
}
