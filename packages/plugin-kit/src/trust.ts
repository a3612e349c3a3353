import type { Origin, Placed, Trust } from '@palimpsest/contracts';

const rank: Readonly<Record<Trust, number>> = { user: 0, assistant: 1, tool: 2, external: 3 };
const byOrigin: Readonly<Record<Origin, Trust>> = {
  user_input: 'user',
  model: 'assistant',
  tool: 'tool',
  continuation: 'external',
  handoff: 'external',
  notice: 'external',
  observation: 'external',
};

/** Whose words these entries repeat; silent ones repeat nobody's. Pure. */
export function voicesOf(placed: readonly Placed[]): readonly Trust[] {
  return placed
    .filter(({ shape }) => shape.kind !== 'silent')
    .map(({ entry }) => (entry.kind === 'message' ? byOrigin[entry.origin] : 'external'));
}

/** What a summary of these voices is worth: the lowest of them, and never more than a tool's words, because it mixes them. Pure. */
export function lowestTrust(voices: readonly Trust[]): Trust {
  return voices.reduce((lowest, next) => (rank[next] > rank[lowest] ? next : lowest), 'tool');
}
