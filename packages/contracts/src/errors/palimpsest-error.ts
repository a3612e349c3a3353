import type { Json } from '../parts.ts';

/**
 * What an error asks of its reader. `config`: the user wrote something wrong, or named what does not exist (exit 2, no stack).
 * `plugin`: a plugin broke a rule. `environment`: disk, network, another process. `session`: the call does not fit the session's state. `internal`: our fault.
 */
export type ErrorKind = 'config' | 'plugin' | 'environment' | 'session' | 'internal';

export interface ErrorFields {
  /** `AREA_PROBLEM`. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** What, where, what to do. */
  readonly message: string;
  readonly details?: { readonly [key: string]: Json };
  /** One sentence: the next thing to try. */
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

const marker = Symbol.for('palimpsest.error');

/** The one error class. Its identity survives two copies of this package in one process: use {@link isPalimpsestError}. */
export class PalimpsestError extends Error {
  override readonly name = 'PalimpsestError';
  readonly code: string;
  readonly kind: ErrorKind;
  readonly details: { readonly [key: string]: Json };
  readonly hint: string | null;
  readonly retryable: boolean;
  readonly [marker] = true;

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.kind = fields.kind;
    this.details = fields.details ?? {};
    this.hint = fields.hint ?? null;
    this.retryable = fields.retryable ?? false;
  }

  /** Serialisable; never holds a stack or a cause. */
  toJSON(): { readonly [key: string]: Json } {
    return {
      code: this.code,
      kind: this.kind,
      message: this.message,
      details: { ...this.details },
      hint: this.hint,
      retryable: this.retryable,
    };
  }
}

/** True for every Palimpsest error, whichever copy of the package made it; with `code`, for that one only. */
export function isPalimpsestError(error: unknown, code?: string): error is PalimpsestError {
  return error instanceof Error && marker in error && (code === undefined || (error as PalimpsestError).code === code);
}

/** The message of anything that was thrown. Code of others throws it, so it may be without text, or resist being looked at. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}
