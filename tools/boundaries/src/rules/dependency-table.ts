import type { Finding } from '../finding.ts';
import { namedBy } from '../modules.ts';
import { EXTRA, FOR_TESTS, MAY_IMPORT, ONLY_TESTS } from '../policy.ts';
import type { Unit, Workspace } from '../workspace.ts';

const rule = 'dependency-table';

/** Who may know whom, checked twice: in the manifests, and in every import of the source, types included. */
export function dependencyTable(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) => [...inManifest(unit, workspace), ...inSources(unit, workspace)]);
}

export function mayImport(from: Unit, to: Unit): boolean {
  if (EXTRA[from.folder]?.includes(to.folder)) return true;
  if (from.layer === null || to.layer === null) return false;
  if (ONLY_TESTS.includes(to.folder) && from.layer !== 'tool') return false;
  const row = MAY_IMPORT[from.layer];
  return row.includes(to.layer) || row.includes(to.folder);
}

function inManifest(unit: Unit, workspace: Workspace): readonly Finding[] {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = unit.manifest;
  const refused = (names: object | undefined, tests: boolean): readonly Unit[] =>
    workspace.units.filter(
      (to) => names !== undefined && to.name in names && !mayImport(unit, to) && !(tests && FOR_TESTS.includes(to.folder)),
    );
  const all = [...refused({ ...dependencies, ...peerDependencies, ...optionalDependencies }, false), ...refused(devDependencies, true)];
  return all.map((to) => ({
    rule,
    file: `${unit.folder}/package.json`,
    line: 0,
    message: `${described(unit)} may not depend on ${described(to)}`,
  }));
}

function inSources(unit: Unit, workspace: Workspace): readonly Finding[] {
  return unit.sources.flatMap(({ path, imports, isTest }) =>
    imports.flatMap(({ specifier, line }) => {
      const named = namedBy(specifier, path, workspace);
      if (named.kind !== 'unit') return [];
      if (named.unit === unit) return [{ rule, file: path, line, message: `imports its own package by name: ${specifier}` }];
      const allowed = mayImport(unit, named.unit) || (isTest && FOR_TESTS.includes(named.unit.folder));
      return allowed ? [] : [{ rule, file: path, line, message: `${described(unit)} may not import ${described(named.unit)}` }];
    }),
  );
}

const described = ({ name, layer }: Unit): string => `${name} (${layer ?? 'no layer'})`;
