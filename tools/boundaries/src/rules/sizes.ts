import ts from 'typescript';
import type { Finding } from '../finding.ts';
import { ONE_SCREEN, SIZES } from '../policy.ts';
import { lineOf, linesOf, nodesOf } from '../source.ts';
import type { Source } from '../source.ts';
import type { Workspace } from '../workspace.ts';

type Measure = keyof typeof SIZES;

/** One thing that was measured, whether or not it is too large. */
export interface Size {
  readonly measure: Measure;
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly size: number;
}

/** Beyond the stop. */
export function sizes(workspace: Workspace): readonly Finding[] {
  const large = measured(workspace).filter(({ measure, size }) => size > SIZES[measure].most);
  const stops = large.map(({ measure, file, line, name, size }) => ({
    rule: `size-${measure}`,
    file,
    line,
    message: `${name}: ${String(size)}, at most ${String(SIZES[measure].most)}`,
  }));
  return [...stops, ...oneScreen(workspace)];
}

/** Beyond the usual size, largest first. */
export function remarkable(workspace: Workspace): readonly Size[] {
  return measured(workspace)
    .filter(({ measure, size }) => size > SIZES[measure].usual)
    .sort((left, right) => right.size / SIZES[right.measure].usual - left.size / SIZES[left.measure].usual);
}

const measured = (workspace: Workspace): readonly Size[] => workspace.units.flatMap(({ sources }) => sources.flatMap(sizesOf));

function sizesOf(source: Source): readonly Size[] {
  const { path: file, text, tree } = source;
  const sizesFound: Size[] = [{ measure: 'file', file, line: 0, name: 'file', size: text.trimEnd().split('\n').length }];
  for (const node of nodesOf(tree)) {
    const found = (measure: Measure, size: number): void =>
      void sizesFound.push({ measure, file, line: lineOf(tree, node), name: nameOf(node), size });
    if (isFunction(node) && !isSuite(node, source)) found('function', linesOf(tree, node));
    if (ts.isClassLike(node)) {
      found('class', linesOf(tree, node));
      found('publicMethods', node.members.filter(isPublicMethod).length);
    }
    if (ts.isConstructorDeclaration(node)) found('injected', node.parameters.filter(hasDecorator).length);
    if (isOptions(node)) found('options', node.members.length);
  }
  return sizesFound;
}

const isFunction = (node: ts.Node): boolean => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/** `describe('…', () => { … })` groups tests; only the tests in it are functions that someone reads as one. */
function isSuite(node: ts.Node, { isTest, path }: Source): boolean {
  const call = node.parent;
  const tests = isTest || path.startsWith('packages/testing/') || path.startsWith('packages/conformance/');
  return tests && ts.isCallExpression(call) && /^describe\b/.test(call.expression.getText());
}

const isPublicMethod = (member: ts.ClassElement): boolean =>
  (ts.isMethodDeclaration(member) || ts.isGetAccessor(member)) &&
  !ts.isPrivateIdentifier(member.name) &&
  !(ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword);

const hasDecorator = (parameter: ts.ParameterDeclaration): boolean => (ts.getDecorators(parameter) ?? []).length > 0;

const isOptions = (node: ts.Node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text.endsWith('Options');

function nameOf(node: ts.Node): string {
  const named = ts.isConstructorDeclaration(node) || ts.isArrowFunction(node) ? node.parent : node;
  return 'name' in named && named.name !== undefined ? (named.name as ts.Node).getText() : 'callback';
}

function oneScreen({ files }: Workspace): readonly Finding[] {
  const lines = (files.get(ONE_SCREEN.file) ?? '').trimEnd().split('\n');
  const wide = lines.findIndex((line) => line.length > ONE_SCREEN.width);
  const found = (line: number, message: string): Finding => ({ rule: 'one-screen', file: ONE_SCREEN.file, line, message });
  return [
    ...(lines.length > ONE_SCREEN.lines ? [found(0, `${String(lines.length)} lines, at most ${String(ONE_SCREEN.lines)}`)] : []),
    ...(wide < 0 ? [] : [found(wide + 1, `wider than ${String(ONE_SCREEN.width)}`)]),
  ];
}
