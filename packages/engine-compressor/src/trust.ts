import type { Trust } from '@palimpsest/contracts';
import { lowestTrust, voicesOf } from '@palimpsest/plugin-kit';
import type { Bundle } from './bundles.ts';

/** What a summary of these bundles is worth. */
export function trustOf(bundles: readonly Bundle[]): Trust {
  return lowestTrust(bundles.flatMap(voices));
}

function voices(bundle: Bundle): readonly Trust[] {
  if (bundle.kind === 'entries') return voicesOf(bundle.placed);
  return bundle.segment.show === 'summary' ? [bundle.segment.trust] : [];
}
