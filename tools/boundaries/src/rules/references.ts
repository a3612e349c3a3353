import type { Finding } from '../finding.ts';
import type { Unit, Workspace } from '../workspace.ts';

const rule = 'references';

/** `tsc -b` builds in the order of the references, so they equal the workspace dependencies; the root builds every package. */
export function references(workspace: Workspace): readonly Finding[] {
  return [...workspace.units.flatMap((unit) => ofUnit(unit, workspace)), ...ofRoot(workspace)];
}

function ofUnit(unit: Unit, workspace: Workspace): readonly Finding[] {
  const { dependencies, peerDependencies, optionalDependencies } = unit.manifest;
  const names = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  const wanted = workspace.units.filter(({ name }) => name in names).map(({ folder }) => folder);
  return unit.references === null ? [] : difference(`${unit.folder}/tsconfig.json`, unit.references, wanted);
}

function ofRoot({ units, references: found }: Workspace): readonly Finding[] {
  const wanted = units.filter((unit) => unit.references !== null).map(({ folder }) => folder);
  return difference('tsconfig.json', found, wanted);
}

function difference(file: string, found: readonly string[], wanted: readonly string[]): readonly Finding[] {
  const missing = wanted.filter((each) => !found.includes(each)).map((each) => `refers not to ${each}`);
  const needless = found.filter((each) => !wanted.includes(each)).map((each) => `refers to ${each}, which is no dependency`);
  return [...missing, ...needless].map((message) => ({ rule, file, line: 0, message }));
}
