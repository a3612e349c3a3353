import { errors } from '@palimpsest/contracts/plain';

/** What the published packages declare: the oldest with everything they use. */
export const OLDEST_NODE = '22.15';

/** Pure. `version` is as `process.version` has it. */
export function isNodeEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/u, '').split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Older versions fail later, with messages that say nothing. @throws NODE_UNSUPPORTED. */
export function requireNode(version: string): void {
  if (!isNodeEnough(version)) throw errors.nodeUnsupported(version, OLDEST_NODE);
}
