import type { EngineClaims, EngineManifest } from '@palimpsest/contracts';
import { contractProblem } from './contract-range.ts';

/** What the host does for an engine; one that needs anything else is refused before it runs. */
const OFFERED: readonly string[] = ['artifacts', 'derived', 'search', 'summarize'];

/** Why this host cannot run an engine with this manifest; null: nothing speaks against it. Pure. */
export function manifestProblem(manifest: EngineManifest): string | null {
  if (!manifest.provides.includes('context-engine')) return 'it provides no context-engine';
  const missing = manifest.needs.filter((need) => !OFFERED.includes(need));
  if (missing.length > 0) return `it needs ${missing.join(', ')}, which this host does not offer`;
  return contractProblem(manifest.contract);
}

/** The part of a manifest that a resolution reports. */
export function claimsOf({ owns, needs, permissions, marks }: EngineManifest): EngineClaims {
  return { owns, needs, permissions, ...(marks === undefined ? {} : { marks }) };
}
