import { builtinModules } from 'node:module';
import { folderOf, joined } from './workspace.ts';
import type { Unit, Workspace } from './workspace.ts';

/** What a module specifier names. */
export type Named =
  | { readonly kind: 'relative'; readonly path: string }
  | { readonly kind: 'builtin'; readonly prefixed: boolean }
  | { readonly kind: 'unit'; readonly unit: Unit; readonly subpath: string }
  | { readonly kind: 'external'; readonly name: string };

const builtins = new Set(builtinModules);

export function namedBy(specifier: string, importer: string, workspace: Workspace): Named {
  if (/^\.{1,2}(\/|$)/.test(specifier)) return { kind: 'relative', path: joined(folderOf(importer), specifier) };
  if (specifier.startsWith('node:') || builtins.has(specifier)) return { kind: 'builtin', prefixed: specifier.startsWith('node:') };
  const name = packageOf(specifier);
  const unit = workspace.units.find((each) => each.name === name);
  return unit === undefined ? { kind: 'external', name } : { kind: 'unit', unit, subpath: `.${specifier.slice(name.length)}` };
}

/** `@scope/name/deep` → `@scope/name`; `name/deep` → `name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
