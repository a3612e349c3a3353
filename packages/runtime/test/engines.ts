import {
  engineManifest,
  type ContextEngine,
  type EngineDefinition,
  type Model,
  type PlanRequest,
  type Session,
} from '@palimpsest/contracts';
import type { Bench } from './bench.ts';

/** A complete plan: everything as it is shown now. */
export const whole = ({ branch }: PlanRequest): ReturnType<ContextEngine['plan']> => ({
  segments: [{ through: branch.last, show: 'entries' }],
  estimateTokens: branch.shownTokens,
});

/** An engine a host registers, `strange` unless its manifest says more. What it does not say, it leaves to the host. */
export function definition(engine: Partial<ContextEngine>, more: Partial<EngineDefinition['manifest']> = {}): EngineDefinition {
  const manifest = engineManifest.parse({ name: 'strange', version: '2.0.0', contract: '^1.0', main: 'main.js', ...more });
  return { manifest, factory: () => ({ plan: whole, ...engine }) };
}

/** Opens a session on an engine that a host registers as `strange`. */
export function opening(bench: Bench, model: Model) {
  return async (engine: ContextEngine, onFailure: 'fallback' | 'fail' = 'fallback', windowTokens = 16_000): Promise<Session> => {
    const config = { context: { engine: 'strange', on_engine_failure: onFailure } };
    const runtime = await bench.runtime({ model, windowTokens, plugins: [definition(engine)], config });
    return runtime.openSession();
  };
}
