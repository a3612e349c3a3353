import { isMap, layered, nodeAt, toJson, withEntries, type Located, type LocatedMap } from './located.ts';

/**
 * One layer over those below. An api key is for the address it was written for: where the upper layer takes a model to another provider or
 * address, the key from below stays behind, and whoever opens the model is told so. A cloned project cannot have a person's keys sent to it.
 */
export function layeredOver(lower: Located, upper: Located): Located {
  const below = nodeAt(lower, ['models']);
  const above = nodeAt(upper, ['models']);
  if (!isMap(lower) || !isMap(below) || !isMap(above)) return layered(lower, upper);
  const models = withEntries(below, new Map([...below.entries].map(([name, model]) => [name, withoutKey(model, above.entries.get(name))])));
  return layered(withEntries(lower, new Map(lower.entries).set('models', models)), upper);
}

function withoutKey(model: Located, above: Located | undefined): Located {
  if (!isMap(model) || !isMap(above) || !model.entries.has('api_key')) return model;
  const moved = movedBy(model, above);
  if (moved === null) return model;
  const entries = new Map([...model.entries].filter(([key]) => key !== 'api_key'));
  // A script calls nobody: no key is missing there.
  return withEntries(model, isScript(moved) ? entries : entries.set('api_key', leftBehind(moved)));
}

/** What in the upper layer says that the model is elsewhere. */
function movedBy(model: LocatedMap, above: LocatedMap): Located | null {
  const written = (map: LocatedMap, key: string): string | null => {
    const node = map.entries.get(key);
    return node === undefined ? null : JSON.stringify(toJson(node));
  };
  const key = ['provider', 'base_url'].find((one) => above.entries.has(one) && written(above, one) !== written(model, one));
  return key === undefined ? null : (above.entries.get(key) ?? null);
}

const isScript = (provider: Located): boolean => provider.path.at(-1) === 'provider' && toJson(provider) === 'scripted';

/** Stands where the key was; reads as not set, at the place that is to blame. */
function leftBehind({ at, keyAt, path, source }: Located): Located {
  const problem =
    'takes the model elsewhere than the layer that has its api_key, which therefore is not used; write api_key here too, or name the model otherwise';
  return { kind: 'scalar', at, keyAt, path, source, value: '(left behind)', written: null, unset: { problem, near: null } };
}
