import type { EngineDefinition, EngineManifest } from '@palimpsest/contracts';

/** What a manifest has to say, and defaults for the rest. */
export function manifestOf(name: string, more: Partial<EngineManifest> = {}): EngineManifest {
  const empty = { owns: [], needs: [], permissions: [], options: {} };
  return { name, version: '1.0.0', contract: '^1.0', description: '', main: 'x.js', provides: ['context-engine'], ...empty, ...more };
}

/** An engine that plans nothing. */
export function definition(name: string, more: Partial<EngineManifest> = {}): EngineDefinition {
  return { manifest: manifestOf(name, more), factory: () => ({ plan: () => ({ segments: [], estimateTokens: 0 }) }) };
}
