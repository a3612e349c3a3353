import type { Finding } from '../finding.ts';
import { joined, folderOf } from '../workspace.ts';
import type { Unit, Workspace } from '../workspace.ts';

/** No file reaches itself through imports, type imports included. One finding per knot. */
export function cycles(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) =>
    knotsOf(edgesOf(unit)).map((knot) => ({
      rule: 'cycle',
      file: knot[0] ?? unit.folder,
      line: 0,
      message: `files that import each other: ${knot.join(', ')}`,
    })),
  );
}

type Edges = ReadonlyMap<string, readonly string[]>;

const edgesOf = (unit: Unit): Edges =>
  new Map(
    unit.sources.map(({ path, imports }) => {
      const relative = imports.filter(({ specifier }) => specifier.startsWith('.'));
      return [path, relative.map(({ specifier }) => joined(folderOf(path), specifier))];
    }),
  );

/** Groups of more than one file that reach each other, and files that import themselves; each sorted. */
export function knotsOf(edges: Edges): readonly (readonly string[])[] {
  const reach = new Map([...edges.keys()].map((path) => [path, reachable(path, edges)]));
  const knots = new Map<string, readonly string[]>();
  for (const [path, reached] of reach) {
    if (!reached.has(path)) continue;
    const knot = [...reached].filter((other) => reach.get(other)?.has(path)).sort();
    knots.set(knot[0] ?? path, knot);
  }
  return [...knots.values()];
}

function reachable(start: string, edges: Edges): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of edges.get(path) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
