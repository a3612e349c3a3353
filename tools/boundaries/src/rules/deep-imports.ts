import type { Finding } from '../finding.ts';
import { namedBy } from '../modules.ts';
import type { Named } from '../modules.ts';
import type { Unit, Workspace } from '../workspace.ts';

const rule = 'deep-import';

/** Another package is entered through its exports; relative imports stay inside the package, name the file and end in `.ts`. */
export function deepImports(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) =>
    unit.sources.flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, line }) => {
        const message = problemOf(namedBy(specifier, path, workspace), unit, workspace);
        return message === null ? [] : [{ rule, file: path, line, message: `${specifier} ${message}` }];
      }),
    ),
  );
}

function problemOf(named: Named, unit: Unit, { files }: Workspace): string | null {
  if (named.kind === 'unit') return named.subpath in (named.unit.manifest.exports ?? {}) ? null : 'is not exported by its package';
  if (named.kind !== 'relative') return null;
  if (!named.path.startsWith(`${unit.folder}/`)) return 'leaves the package';
  if (/\.json$/.test(named.path)) return null;
  if (!named.path.endsWith('.ts')) return 'does not end in .ts';
  return files.has(named.path) ? null : 'names no file';
}
