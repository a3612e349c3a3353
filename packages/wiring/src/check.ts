import type { Binding } from './binding.ts';
import { label } from './graph.ts';
import type { Assembly, Graph, Service } from './graph.ts';
import { parameterFaults } from './inject.ts';
import type { Module } from './module.ts';
import { dependencyOrder } from './order.ts';
import type { AnyToken } from './token-types.ts';

/** Every fault of a wiring, found on the graph alone. Empty: creating it in dependency order cannot miss anything. */
export function wiringFaults(
  modules: readonly Module[],
  sessionValues: readonly AnyToken[],
  { graph, faults }: Assembly,
): readonly string[] {
  const services = [...graph.values()];
  return [
    ...moduleNameFaults(modules),
    ...faults,
    ...tokenNameFaults(services),
    ...sessionValues.filter(({ scope }) => scope === 'host').map(({ name }) => `${name} has host scope and cannot be a session value`),
    ...services.flatMap((service) => sourceFaults(service)),
    ...services.flatMap((service) => needFaults(service, graph)),
    ...dependencyOrder(graph).cycles.map((cycle) => `cycle: ${cycle}`),
  ];
}

/** What is wrong with the values that a session brings: exactly the declared ones, each once, each as a value. */
export function sessionValueFaults(declared: readonly AnyToken[], given: readonly Binding[]): readonly string[] {
  const wanted = new Set(declared.map(({ key }) => key));
  const counted = new Map<symbol, number>();
  for (const { token } of given) counted.set(token.key, (counted.get(token.key) ?? 0) + 1);
  return [
    ...declared.filter(({ key }) => !counted.has(key)).map(({ name }) => `session value ${name} is missing`),
    ...given.filter(({ token }) => !wanted.has(token.key)).map(({ token }) => `${token.name} is not a declared session value`),
    ...declared.filter(({ key }) => (counted.get(key) ?? 0) > 1).map(({ name }) => `session value ${name} is given more than once`),
    ...given.flatMap(({ token, source }) => {
      if (source.how !== 'value') return [`session value ${token.name} is given by a ${source.how}; give a value`];
      return emptyFaults(`session value ${token.name}`, source.value);
    }),
  ];
}

/** A service that may be absent needs an implementation that does nothing: everyone who asks for it relies on getting one. */
export const emptyFaults = (what: string, value: unknown): readonly string[] =>
  value === null || value === undefined ? [`${what} is ${String(value)}; bind an implementation that does nothing instead`] : [];

function moduleNameFaults(modules: readonly Module[]): string[] {
  const names = modules.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((name) => `two modules are named ${name}`);
}

/** Reports are read by name; two keys under one name are a slip, or two copies of one package in the process. */
function tokenNameFaults(services: readonly Service[]): string[] {
  const keys = new Map<string, Set<symbol>>();
  for (const { name, key } of services.flatMap(({ token, deps }) => [token, ...deps]))
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  return [...keys].filter(([, set]) => set.size > 1).map(([name, set]) => `${String(set.size)} different tokens are named ${name}`);
}

function sourceFaults(service: Service): readonly string[] {
  const source = service.binding?.source;
  if (source?.how === 'value') return emptyFaults(label(service), source.value);
  return source?.how === 'class' ? parameterFaults(source.cls).map((fault) => `${label(service)}: ${fault}`) : [];
}

function needFaults(service: Service, graph: Graph): string[] {
  return [...new Set(service.deps)].flatMap((dep) => [
    ...(graph.has(dep.key) ? [] : [`${label(service)} needs ${dep.name}, which nothing binds`]),
    ...(service.token.scope === 'host' && dep.scope === 'session'
      ? [`${label(service)} has host scope and needs ${dep.name}, which lives for one session`]
      : []),
  ]);
}
