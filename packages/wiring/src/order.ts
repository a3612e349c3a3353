import type { AnyToken } from './token-types.ts';

interface Node {
  readonly token: AnyToken;
  readonly deps: readonly AnyToken[];
}

export interface Order<N> {
  /** What is needed stands before what needs it; otherwise the given order. Only meaningful without cycles. */
  readonly order: readonly N[];
  /** Each closed path once, as `a -> b -> a`. */
  readonly cycles: readonly string[];
}

/** Sorts a graph by its dependencies, and finds its cycles, without creating anything. */
export function dependencyOrder<N extends Node>(nodes: ReadonlyMap<symbol, N>): Order<N> {
  const order = new Set<N>();
  const cycles = new Set<string>();
  const path: N[] = [];
  const visit = (node: N): void => {
    const start = path.indexOf(node);
    if (start >= 0) cycles.add([...path.slice(start), node].map(({ token }) => token.name).join(' -> '));
    if (start >= 0 || order.has(node)) return;
    path.push(node);
    for (const next of node.deps.map(({ key }) => nodes.get(key))) if (next !== undefined) visit(next);
    path.pop();
    order.add(node);
  };
  for (const node of nodes.values()) visit(node);
  return { order: [...order], cycles: [...cycles] };
}
