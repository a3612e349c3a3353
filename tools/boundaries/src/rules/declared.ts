import type { Finding } from '../finding.ts';
import { namedBy } from '../modules.ts';
import { BUNDLED, WORKBENCH } from '../policy.ts';
import type { Source } from '../source.ts';
import type { Unit, Workspace } from '../workspace.ts';

/** Hoisting lets an undeclared import run here and fail at the user's: each package declares what it imports, and imports what it declares. */
export function declared(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) => [...undeclared(unit, workspace), ...unused(unit, workspace)]);
}

function undeclared(unit: Unit, workspace: Workspace): readonly Finding[] {
  return unit.sources.flatMap((source) =>
    source.imports.flatMap(({ specifier, line }) => {
      const named = namedBy(specifier, source.path, workspace);
      if (named.kind === 'builtin' && !named.prefixed)
        return [{ rule: 'declared', file: source.path, line, message: `write node:${specifier}` }];
      const name = named.kind === 'unit' ? named.unit.name : named.kind === 'external' ? named.name : null;
      if (name === null || name === unit.name || available(unit, source).has(name)) return [];
      return [{ rule: 'declared', file: source.path, line, message: `${name} is not declared in ${unit.folder}/package.json` }];
    }),
  );
}

/** The workbench of the root serves tests and tools; what is shipped declares everything itself. */
function available(unit: Unit, { isTest }: Source): ReadonlySet<string> {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = unit.manifest;
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  const more = isTest || unit.layer === 'tool' ? [...Object.keys(devDependencies ?? {}), ...WORKBENCH] : [];
  return new Set([...names, ...more]);
}

function unused(unit: Unit, workspace: Workspace): readonly Finding[] {
  const used = new Set(
    unit.sources.flatMap(({ path, imports }) =>
      imports.map(({ specifier }) => {
        const named = namedBy(specifier, path, workspace);
        return named.kind === 'unit' ? named.unit.name : named.kind === 'external' ? named.name : '';
      }),
    ),
  );
  const names = Object.keys({ ...unit.manifest.dependencies, ...unit.manifest.optionalDependencies });
  // Types without code are asked for by declarations of others, not by an import.
  const idle = names.filter((name) => !used.has(name) && !name.startsWith('@types/') && BUNDLED[unit.folder]?.includes(name) !== true);
  return idle.map((name) => ({
    rule: 'unused-dependency',
    file: `${unit.folder}/package.json`,
    line: 0,
    message: `${name} is declared and never imported`,
  }));
}
