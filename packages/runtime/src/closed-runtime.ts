import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type { Host } from '@palimpsest/wiring';

/** The same host, which says of itself what a host developer knows: that the runtime is closed, and not which scope. */
export function asRuntime(host: Host): Host {
  return {
    get: (token) => told(() => host.get(token)),
    openSession: (values) => {
      const scope = told(() => host.openSession(values));
      return { get: (token) => told(() => scope.get(token)), close: () => scope.close() };
    },
    close: () => host.close(),
    describe: () => host.describe(),
  };
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isPalimpsestError(error, 'WIRING_CLOSED') && error.details['scope'] === 'host' ? errors.runtimeClosed() : error;
  }
}
