import ts from 'typescript';
import type { Finding } from '../finding.ts';
import { ADAPTERS } from '../policy.ts';
import { lineOf, nodesOf } from '../source.ts';
import type { Source } from '../source.ts';
import type { Workspace } from '../workspace.ts';

type Kind = keyof typeof ADAPTERS;

/** Tests may wait, look at the environment and print that they skip; they may not be left to chance. */
const FREE_IN_TESTS: readonly Kind[] = ['time', 'yield', 'environment', 'console'];

/** What the compiler takes and this repository does not. */
export function language(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap(({ sources }) => sources.flatMap(inSource));
}

function inSource(source: Source): readonly Finding[] {
  const { path, tree } = source;
  return [...nodesOf(tree)].flatMap((node) => {
    const found = (rule: string, message: string): readonly Finding[] => [{ rule, file: path, line: lineOf(tree, node), message }];
    if (node.kind === ts.SyntaxKind.AnyKeyword) return found('any', 'use unknown, or the type');
    if (ts.isNonNullExpression(node)) return found('non-null', 'say what happens when it is missing');
    if (ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)) return found('erasable', 'only syntax that can be erased');
    if (ts.isParameter(node) && isBareProperty(node)) return found('erasable', 'declare the field and assign it');
    const kind = ambient(node);
    return kind === null || mayUse(kind, source) ? [] : found(kind, `${node.getText(tree).split('\n')[0] ?? ''}: only in its adapters`);
  });
}

/** A class with decorated parameters cannot be erased anyway; its parameters may be its fields. */
const isBareProperty = (node: ts.ParameterDeclaration): boolean =>
  ts.isParameterPropertyDeclaration(node, node.parent) && (ts.getDecorators(node) ?? []).length === 0;

function mayUse(kind: Kind, { path, isTest }: Source): boolean {
  return (isTest && FREE_IN_TESTS.includes(kind)) || ADAPTERS[kind].some((each) => each.test(path));
}

const CALLS: Readonly<Record<string, Kind>> = { setTimeout: 'time', setInterval: 'time', setImmediate: 'yield', Date: 'time' };

const MEMBERS: Readonly<Record<string, Kind>> = {
  'Date.now': 'time',
  'performance.now': 'time',
  'process.hrtime': 'time',
  'process.uptime': 'time',
  'AbortSignal.timeout': 'time',
  'Math.random': 'chance',
  'crypto.randomUUID': 'chance',
  'crypto.getRandomValues': 'chance',
  'process.env': 'environment',
};

const IMPORTED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'node:process': { env: 'environment', hrtime: 'time' },
  'node:crypto': { randomUUID: 'chance', randomBytes: 'chance', randomInt: 'chance', webcrypto: 'chance' },
  'node:timers': { setTimeout: 'time', setInterval: 'time', setImmediate: 'yield' },
  'node:timers/promises': { setTimeout: 'time', setInterval: 'time', setImmediate: 'yield', scheduler: 'yield' },
  'node:perf_hooks': { performance: 'time' },
};

/** What a node takes from its surroundings: the clock, chance, the environment or the console. */
function ambient(node: ts.Node): Kind | null {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return CALLS[node.expression.text] ?? null;
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0 ? 'time' : null;
  if (ts.isPropertyAccessExpression(node)) return ofMember(node);
  if (ts.isImportSpecifier(node)) return IMPORTED[moduleOf(node)]?.[(node.propertyName ?? node.name).text] ?? null;
  return null;
}

function ofMember(node: ts.PropertyAccessExpression): Kind | null {
  const owner = node.expression.getText().replace(/^globalThis\./, '');
  if (owner === 'console') return 'console';
  if (owner === 'globalThis') return CALLS[node.name.text] ?? null;
  return MEMBERS[`${owner}.${node.name.text}`] ?? null;
}

function moduleOf(node: ts.ImportSpecifier): string {
  const { moduleSpecifier } = node.parent.parent.parent;
  return ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
}
