import { faultAt, type Fault } from './faults.ts';
import type { Located, LocatedScalar } from './located.ts';
import { nearestKey } from './nearest-key.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(\$?)\{env:([^}$]*)(\}?)/gu;

/** Fills in `${env:NAME}` in every text. `$${env:NAME}` stands for the characters themselves. Pure: the environment is given. */
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
  const value = text.replace(REFERENCE, (whole, escaped: string, name: string, end: string) => {
    if (escaped !== '') return whole.slice(1);
    if (end === '' || !/^[A-Za-z_]\w*$/u.test(name))
      faults.push(faultAt(node, `"${whole}" is no reference to an environment variable; write \${env:NAME}`));
    else if (!Object.hasOwn(env, name) || env[name] === undefined)
      faults.push(faultAt(node, `the environment variable ${name} is not set`, nearestKey(name, Object.keys(env))));
    else return env[name];
    return '';
  });
  return { ...node, value, written: value === text ? null : text };
}
