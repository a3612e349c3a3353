import type { Origin, Placed, Trust } from '@palimpsest/contracts';
import type { Bundle } from './bundles.ts';

/** A summary mixes voices, so it is never worth more than a tool's words. */
const HIGHEST: Trust = 'tool';
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

/** The lowest of what a summary of these bundles repeats. */
export function trustOf(bundles: readonly Bundle[]): Trust {
  return bundles.flatMap(voices).reduce<Trust>((lowest, next) => (rank[next] > rank[lowest] ? next : lowest), HIGHEST);
}

function voices(bundle: Bundle): readonly Trust[] {
  if (bundle.kind === 'entries') return bundle.placed.filter(({ shape }) => shape.kind !== 'silent').map(voice);
  return bundle.segment.show === 'summary' ? [bundle.segment.trust] : [];
}

function voice({ entry }: Placed): Trust {
  return entry.kind === 'message' ? byOrigin[entry.origin] : 'external';
}
