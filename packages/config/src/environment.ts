import { faultAt, type Fault } from './faults.ts';
import { isMap, nodeAt, type Located, type LocatedScalar, type Unset } from './located.ts';
import { nearestKey } from './nearest-key.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(\$?)\{env:([^}$]*)(\}?)/gu;
const NAME = /^[A-Za-z_]\w*$/u;

/** One reference and nothing else: it names a variable, and says nothing of what is in it. Pure. */
export function isReference(text: string): boolean {
  return text.startsWith('${env:') && text.endsWith('}') && NAME.test(text.slice('${env:'.length, -1));
}

/**
 * Fills in `${env:NAME}` in every text. `$${env:NAME}` stands for the characters themselves. Where a model that nobody may want names a variable
 * that is not set, the text stays as it is written and the node says so. Pure: the environment is given.
 */
export function withEnvironment(root: Located, env: Environment): { readonly root: Located; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const filled = (node: Located): Located => {
    if (node.kind === 'scalar') return typeof node.value === 'string' ? fill(node, node.value, env, faults) : node;
    if (node.kind === 'list') return { ...node, items: node.items.map(filled) };
    return { ...node, entries: new Map([...node.entries].map(([key, value]) => [key, filled(value)])) };
  };
  return { root: filled(root), faults };
}

function fill(node: LocatedScalar, text: string, env: Environment, faults: Fault[]): LocatedScalar {
  const unset: Unset[] = [];
  const filled = text.replace(REFERENCE, (whole, escaped: string, name: string, end: string) => {
    if (escaped !== '') return whole.slice(1);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (end === '' || !NAME.test(name))
      faults.push(faultAt(node, `"${whole}" is no reference to an environment variable; write \${env:NAME}`));
    else if (value === undefined) unset.push({ problem: `${VARIABLE} ${name} is not set`, near: nearestKey(name, Object.keys(env)) });
    // No value of a model may be empty: it is the variable that lacks something.
    else if (value === '' && isOfModel(node)) unset.push({ problem: `${VARIABLE} ${name} is empty`, near: null });
    else return value;
    return '';
  });
  const [first] = unset;
  if (first !== undefined && isOfModel(node)) return { ...node, written: text, unset: first };
  faults.push(...unset.map(({ problem, near }) => faultAt(node, problem, near)));
  return { ...node, value: filled, written: filled === text ? null : text };
}

const VARIABLE = 'the environment variable';

/** What to do about variables that are not set; null where a fault is another one. Names them, and no value. */
export function stepToSet(faults: readonly Pick<Fault, 'problem' | 'near'>[]): string | null {
  const names = new Set(faults.flatMap(({ problem }) => new RegExp(`^${VARIABLE} (\\w+) is `, 'u').exec(problem)?.[1] ?? []));
  const [near] = faults.flatMap((fault) => fault.near ?? []);
  return names.size === 0
    ? null
    : `${near === undefined ? '' : `Did you mean "${near}"? `}Set it first: ${[...names].map((name) => `export ${name}=…`).join(' ')}`;
}

/** What only a model that is called has to have. Its provider is needed to say what it is. */
const isOfModel = ({ path }: Located): boolean => path[0] === 'models' && path.length > 2 && path[2] !== 'provider';

/** What each model lacks in the environment, by its name. */
export function unsetOf(root: Located): ReadonlyMap<string, readonly Fault[]> {
  const models = nodeAt(root, ['models']);
  return new Map(isMap(models) ? [...models.entries].map(([name, model]) => [name, unsetIn(model)]) : []);
}

function unsetIn(node: Located): readonly Fault[] {
  if (node.kind === 'scalar') return node.unset === undefined ? [] : [faultAt(node, node.unset.problem, node.unset.near)];
  return (node.kind === 'list' ? node.items : [...node.entries.values()]).flatMap(unsetIn);
}
