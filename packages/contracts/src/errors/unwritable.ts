import { errors } from './catalogue.ts';
import type { PalimpsestError } from './palimpsest-error.ts';

/** What is not in the hands of whoever named the file: no room, a broken or locked disk, too many open files, a reader that went away. */
const ENVIRONMENT: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE', 'EPIPE']);

/** Why a file could not be written: FILE_WRITE_FAILED where another name would not have helped, else FILE_UNWRITABLE. */
export function unwritable(file: string, cause: unknown): PalimpsestError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return ENVIRONMENT.has(code) ? errors.fileWriteFailed(file, cause) : errors.fileUnwritable(file, cause);
}
