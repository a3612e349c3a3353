import type { Finding } from '../finding.ts';
import { namedBy } from '../modules.ts';
import { BUNDLED, SOLE_IMPORTERS } from '../policy.ts';
import type { Unit, Workspace } from '../workspace.ts';

const rule = 'sole-importer';

/** An external package that one place wraps is imported and declared there alone, in tests too. */
export function soleImporters(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) => [...inManifest(unit), ...inSources(unit, workspace)]);
}

function ownersOf(name: string, unit: Unit): readonly string[] | null {
  const owned = SOLE_IMPORTERS.find(({ external }) => external.test(name));
  return owned === undefined || owned.importers.includes(unit.folder) ? null : owned.importers;
}

function inManifest(unit: Unit): readonly Finding[] {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = unit.manifest;
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies, ...devDependencies });
  return names.flatMap((name) => {
    const owners = ownersOf(name, unit);
    return owners === null || BUNDLED[unit.folder]?.includes(name) === true
      ? []
      : [{ rule, file: `${unit.folder}/package.json`, line: 0, message: `${name} belongs to ${owners.join(', ')}` }];
  });
}

function inSources(unit: Unit, workspace: Workspace): readonly Finding[] {
  return unit.sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      const named = namedBy(specifier, path, workspace);
      const owners = named.kind === 'external' ? ownersOf(named.name, unit) : null;
      return owners === null ? [] : [{ rule, file: path, line, message: `${specifier} is imported by ${owners.join(', ')} alone` }];
    }),
  );
}
