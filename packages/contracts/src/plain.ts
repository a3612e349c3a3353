/** The entry `@palimpsest/contracts/plain`: what holds no schema, for commands that have to start at once. It loads nothing else. */
export { PalimpsestError, isPalimpsestError, messageOf } from './errors/palimpsest-error.ts';
export { errors } from './errors/catalogue.ts';
export { unwritable } from './errors/unwritable.ts';
export { artifactsOf } from './log/artifacts-of.ts';
export { inert } from './inert.ts';
export { isSessionName } from './session-name.ts';
export type { ErrorKind, ErrorFields } from './errors/palimpsest-error.ts';
