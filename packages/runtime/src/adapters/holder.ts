import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** `host:pid:namespace.word`: a process among all that may share a store. A pid counts only within its host and namespace (a container has its own). */
export function holderName(word: string): string {
  return `${hostname()}:${String(process.pid)}:${pidNamespace()}.${word}`;
}

/** True only for a holder of this host and namespace whose process does not exist any more. A pid that was given away again counts as alive. */
export function isHolderGone(holder: string): boolean {
  const [, host, pid, namespace] = /^(.+):(\d+):(\d*)\.[^.:]+$/u.exec(holder) ?? [];
  return host === hostname() && namespace === pidNamespace() && !isAlive(Number(pid));
}

/** Empty where the system has none. */
function pidNamespace(): string {
  try {
    return /\d+/u.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

/** A process of somebody else's is one, too. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
