import { lowerTrust, trustOf, type Placed, type Trust } from '@palimpsest/contracts';

/** Whose words these entries repeat; silent ones repeat nobody's. Pure. */
export function voicesOf(placed: readonly Placed[]): readonly Trust[] {
  return placed
    .filter(({ shape }) => shape.kind !== 'silent')
    .map(({ entry }) => (entry.kind === 'message' ? trustOf(entry.origin) : 'external'));
}

/** What a summary of these voices is worth: the lowest of them, and never more than a tool's words, because it mixes them. Pure. */
export function lowestTrust(voices: readonly Trust[]): Trust {
  return voices.reduce(lowerTrust, 'tool');
}
