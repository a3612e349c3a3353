import { errors } from '@palimpsest/contracts';

/** One thing to close, and its name for the reader of a fault. */
export interface Closer {
  readonly name: string;
  close(): void | Promise<void>;
}

/** What a closer threw or rejected with. */
export interface CloseFault {
  readonly name: string;
  readonly fault: unknown;
}

/**
 * Closes in the reverse of the given order, one after the other. All are run, whatever the others do; never rejects. As long as no
 * closer gives a promise, everything is closed when the call returns.
 */
export async function closeAll(closers: readonly Closer[]): Promise<readonly CloseFault[]> {
  const faults: CloseFault[] = [];
  for (const { name, close } of closers.toReversed()) {
    try {
      const closing = close();
      if (closing !== undefined) await closing;
    } catch (fault) {
      faults.push({ name, fault });
    }
  }
  return faults;
}

/** Throws the faults of a closing together, as one CLOSE_FAILED that names each service. */
export function assertClosed(what: string, faults: readonly CloseFault[]): void {
  if (faults.length === 0) return;
  throw errors.closeFailed(
    `${what} (${faults.map(({ name }) => name).join(', ')})`,
    faults.map(({ fault }) => fault),
  );
}

const closings = new WeakMap<object, Promise<readonly CloseFault[]>>();

/** Remembers the closing of what had been made before `error` stopped an opening. */
export function rememberClosing(error: object, closing: Promise<readonly CloseFault[]>): void {
  closings.set(error, closing);
}

/**
 * Opening is synchronous, closing may not be. After `openHost` or `openSession` threw `error`, this resolves when everything they had
 * already made is closed again, and rejects with CLOSE_FAILED when that failed. Resolves at once for any other error.
 */
export async function afterFailedOpen(error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) assertClosed('what a failed opening had made', (await closings.get(error)) ?? []);
}
