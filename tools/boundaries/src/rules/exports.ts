import ts from 'typescript';
import type { Finding } from '../finding.ts';
import { MAY_DEFAULT_EXPORT, SIZES } from '../policy.ts';
import { lineOf } from '../source.ts';
import type { Source } from '../source.ts';
import type { Workspace } from '../workspace.ts';

/** Named exports only; one index per package, which is a list of names and nothing else. */
export function exportRules(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap(({ folder, sources }) => sources.flatMap((source) => [...everywhere(source), ...indexes(source, folder)]));
}

function everywhere({ path, tree }: Source): readonly Finding[] {
  return tree.statements.flatMap((statement) => {
    const found = (rule: string, message: string): readonly Finding[] => [{ rule, file: path, line: lineOf(tree, statement), message }];
    if (ts.isExportDeclaration(statement) && (statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause)))
      return found('export-star', 'name what is exported');
    return isDefaultExport(statement) && !MAY_DEFAULT_EXPORT.some((each) => each.test(path))
      ? found('default-export', 'export it by name')
      : [];
  });
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
    return statement.exportClause.elements.some(({ name }) => name.text === 'default');
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}

function indexes({ path, text, tree }: Source, folder: string): readonly Finding[] {
  if (!/(^|\/)index\.ts$/.test(path)) return [];
  const found = (message: string, line = 0): Finding => ({ rule: 'index', file: path, line, message });
  if (path !== `${folder}/src/index.ts`) return [found('a package has one index, src/index.ts')];
  const lines = text.trimEnd().split('\n').length;
  const long = lines > SIZES.index.most ? [found(`${String(lines)} lines, at most ${String(SIZES.index.most)}`)] : [];
  return [
    ...long,
    ...tree.statements.flatMap((statement) =>
      isList(statement) ? [] : [found('only `export { … } from` and `export type { … } from`, apart', lineOf(tree, statement))],
    ),
  ];
}

const isList = (statement: ts.Statement): boolean =>
  ts.isExportDeclaration(statement) &&
  statement.moduleSpecifier !== undefined &&
  (statement.exportClause === undefined ||
    !ts.isNamedExports(statement.exportClause) ||
    statement.exportClause.elements.every(({ isTypeOnly }) => !isTypeOnly));
