import type { EngineChangeBody, ModelChangeBody, Shown } from '@palimpsest/contracts';
import type { Landmarks } from './branch/path.ts';

/** What a session runs on now. */
export interface Setting {
  readonly route: string;
  readonly engine: { readonly name: string; readonly by: 'user' | 'substitution' };
}

/**
 * What to write where a path was left on another model or engine than the session runs on now. On a path without any step (an import)
 * nobody knows which model its replies are of: not this one. Pure.
 */
export function changesOn(
  shown: readonly Shown[],
  { route, engine }: Pick<Landmarks, 'route' | 'engine'>,
  now: Setting,
): readonly (ModelChangeBody | EngineChangeBody)[] {
  const other = route === null ? shown.some(isReply) : route !== now.route;
  return [
    ...(other ? [{ kind: 'model-change' as const, model: now.route, role: 'permanent' as const, reason: 'user' as const }] : []),
    ...(engine === null || engine === now.engine.name
      ? []
      : [{ kind: 'engine-change' as const, from: engine, to: now.engine.name, reason: reasonOf(engine, now.engine) }]),
  ];
}

function reasonOf(before: string, { name, by }: Setting['engine']): string {
  const bare = (engine: string): string => engine.slice(0, engine.lastIndexOf('@'));
  return by === 'user' && bare(before) === bare(name) ? 'version' : by;
}

function isReply(unit: Shown): boolean {
  return unit.kind === 'entry' && unit.placed.entry.kind === 'message' && unit.placed.entry.message.role === 'assistant';
}
