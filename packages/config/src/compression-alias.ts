/**
 * `compression` is the other spelling of `context.engines.compressor`, and also holds the keys of the host's ratio policy.
 * Every layer is brought to one form, all under `compression`, before anything else looks at it.
 */
import { faultAtKey, type Fault } from './faults.ts';
import { dotted } from './dotted-path.ts';
import { isMap, withEntries, type Located, type LocatedMap } from './located.ts';

/** The keys of `compression` that are the host's and not the engine's. */
export const HOST_KEYS = ['enabled', 'threshold', 'model_thresholds', 'small_context_floor', 'threshold_tokens'] as const;
const isHostKey = (key: string): boolean => (HOST_KEYS as readonly string[]).includes(key);

export interface Adopted {
  readonly root: Located;
  readonly faults: readonly Fault[];
}

export function adoptAlias(root: Located): Adopted {
  const context = isMap(root) ? root.entries.get('context') : undefined;
  const engines = isMap(context) ? context.entries.get('engines') : undefined;
  const compressor = isMap(engines) ? engines.entries.get('compressor') : undefined;
  // What is no mapping stays where it is: the schema says so there.
  if (!isMap(root) || !isMap(context) || !isMap(engines) || !isMap(compressor)) return { root, faults: [] };
  const written = root.entries.get('compression');
  if (written !== undefined && !isMap(written)) return { root, faults: [] };
  const { entries, faults } = joined(written ?? null, compressor);
  const rest = withEntries(engines, without(engines, 'compressor'));
  const sections = new Map(root.entries);
  sections.set('context', withEntries(context, new Map(context.entries).set('engines', rest)));
  sections.set('compression', withEntries(written ?? compressor, entries));
  return { root: withEntries(root, sections), faults };
}

/** What `compression` holds for the engine. */
export function engineKeys(compression: LocatedMap): LocatedMap {
  return withEntries(compression, new Map([...compression.entries].filter(([key]) => !isHostKey(key))));
}

function joined(
  compression: LocatedMap | null,
  compressor: LocatedMap,
): { readonly entries: ReadonlyMap<string, Located>; readonly faults: readonly Fault[] } {
  const entries = new Map(compression?.entries);
  const faults: Fault[] = [];
  for (const [key, node] of compressor.entries) {
    const twin = entries.get(key);
    if (isHostKey(key))
      faults.push(faultAtKey(node, `this key is the host's, not the engine's: write it under "compression"`, `compression.${key}`));
    else if (twin !== undefined) faults.push(faultAtKey(node, `this is set at ${dotted(twin.path)} too; write it in one place`));
    else entries.set(key, node);
  }
  return { entries, faults };
}

const without = (map: LocatedMap, key: string): ReadonlyMap<string, Located> => new Map([...map.entries].filter(([name]) => name !== key));
