import ts from 'typescript';

/** One statement or expression that names a module. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

export interface Source {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  /** Tests and what supports them are never shipped. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

const parsed = new Map<string, Source>();

/** Parses once per path and text; a self-test asks for the same files many times. */
export function sourceOf(path: string, text: string): Source {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, path.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS);
  const source = { path, text, tree, isTest: isTestPath(path), imports: importsOf(tree) };
  parsed.set(path, source);
  return source;
}

export const isTestPath = (path: string): boolean =>
  /\.(test|test-d|test-support)\.ts$/.test(path) || /^(packages|apps|tools)\/[^/]+\/test\//.test(path);

/** The 1-based line on which a node begins. */
export const lineOf = (tree: ts.SourceFile, node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

/** How many lines a node takes, from its first token to its last. */
export function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(tree, node);
}

/** Every node below `root`, parents first. */
export function* nodesOf(root: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = [];
  ts.forEachChild(root, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* nodesOf(child);
  }
}

/** Static and dynamic imports, re-exports, and `import('…')` in types. */
function importsOf(tree: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  for (const node of nodesOf(tree)) {
    const named = moduleNamed(node);
    if (named !== undefined && ts.isStringLiteralLike(named)) found.push({ specifier: named.text, line: lineOf(tree, node) });
  }
  return found;
}

function moduleNamed(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}
