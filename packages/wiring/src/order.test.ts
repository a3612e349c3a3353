import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostToken, isPalimpsestError, sessionToken } from '@palimpsest/contracts';
import type { Token } from '@palimpsest/contracts';
import { bind, defineModule, openHost } from './index.ts';
import type { AnyToken, Binding } from './index.ts';
import { dependencyOrder } from './order.ts';

const runs = { seed: 20_260_101, numRuns: 150 };

interface Node {
  readonly token: Token<object>;
  readonly deps: readonly AnyToken[];
}

/** Acyclic by construction (a node needs earlier ones only, a host node host ones only), declared in any order. */
const acyclic = fc
  .array(fc.record({ session: fc.boolean(), needs: fc.array(fc.nat(), { maxLength: 4 }), rank: fc.nat() }), { minLength: 1, maxLength: 14 })
  .map((drawn) => {
    const nodes: Node[] = [];
    for (const [index, { session, needs }] of drawn.entries()) {
      const token = session ? sessionToken<object>(`n${String(index)}`) : hostToken<object>(`n${String(index)}`);
      const allowed = nodes.filter((node) => session || node.token.scope === 'host');
      const deps = allowed.length === 0 ? [] : needs.map((need) => allowed[need % allowed.length]?.token ?? token);
      nodes.push({ token, deps });
    }
    const rank = (node: Node): number => drawn[nodes.indexOf(node)]?.rank ?? 0;
    return nodes.toSorted((a, b) => rank(a) - rank(b));
  });

const widened = (token: Token<object>): Token<object, 'session'> => token as Token<object, 'session'>;

function recording(nodes: readonly Node[], events: string[]): Binding[] {
  return nodes.map(({ token, deps }) =>
    bind(widened(token))
      .toFactory([...deps], () => ({ made: events.push(`+${token.name}`) }))
      .closing(() => void events.push(`-${token.name}`)),
  );
}

const names = (events: readonly string[], sign: string): string[] =>
  events.filter((event) => event.startsWith(sign)).map((event) => event.slice(1));

describe('dependency order', () => {
  it('creates every acyclic wiring in dependency order, each service once, and closes it in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, async (nodes) => {
        const events: string[] = [];
        const host = openHost([defineModule('m', recording(nodes, events))]);
        const hostNames = names(events, '+');
        host.openSession([]);
        const created = names(events, '+');
        expect(created.toSorted()).toEqual(nodes.map(({ token }) => token.name).toSorted());
        expect(hostNames.toSorted()).toEqual(
          nodes
            .filter(({ token }) => token.scope === 'host')
            .map(({ token }) => token.name)
            .toSorted(),
        );
        for (const { token, deps } of nodes)
          for (const dep of deps) expect(created.indexOf(dep.name)).toBeLessThan(created.indexOf(token.name));
        await host.close();
        expect(names(events, '-')).toEqual(created.toReversed());
      }),
      runs,
    );
  });

  it('reports a cycle that closes on itself whenever an edge back is added, and creates nothing', () => {
    fc.assert(
      fc.property(acyclic, fc.nat(), (nodes, pick) => {
        const edges = nodes.flatMap((node) => node.deps.map((dep) => ({ from: node.token, to: dep })));
        fc.pre(edges.length > 0);
        const edge = edges[pick % edges.length];
        const closed = nodes.map((node) => (node.token.key === edge?.to.key ? { ...node, deps: [...node.deps, edge.from] } : node));
        const events: string[] = [];
        let problems: readonly string[] = [];
        try {
          openHost([defineModule('m', recording(closed, events))]);
        } catch (error) {
          problems = isPalimpsestError(error, 'WIRING_INVALID') ? (error.details['problems'] as readonly string[]) : [];
        }
        expect(events).toEqual([]);
        const cycles = problems.filter((problem) => problem.startsWith('cycle: ')).map((problem) => problem.slice(7).split(' -> '));
        expect(cycles.length).toBeGreaterThan(0);
        const byName = new Map(closed.map((node) => [node.token.name, node.deps.map(({ name }) => name)]));
        for (const cycle of cycles) {
          expect(cycle.at(-1)).toBe(cycle[0]);
          for (const [index, name] of cycle.slice(0, -1).entries()) expect(byName.get(name)).toContain(cycle[index + 1]);
        }
      }),
      runs,
    );
  });

  it('keeps the given order where nothing speaks against it, and names each cycle once', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => hostToken<object>(name));
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four tokens');
    const graph = (nodes: readonly Node[]): ReadonlyMap<symbol, Node> => new Map(nodes.map((node) => [node.token.key, node]));
    const { order } = dependencyOrder(
      graph([
        { token: d, deps: [] },
        { token: a, deps: [b] },
        { token: c, deps: [] },
        { token: b, deps: [] },
      ]),
    );
    expect(order.map(({ token }) => token.name)).toEqual(['d', 'b', 'a', 'c']);
    const twice = graph([
      { token: a, deps: [b, b] },
      { token: b, deps: [a, a, c] },
      { token: c, deps: [d] },
      { token: d, deps: [c] },
    ]);
    expect(dependencyOrder(twice).cycles).toEqual(['a -> b -> a', 'c -> d -> c']);
  });
});
