import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Modules that a plugin may import without bringing them along: bare specifier → URL of the host's own copy. */
export type Provided = Readonly<Record<string, string>>;

/**
 * Node's module loader belongs to the process, and so does what it is taught here: which folders hold plugins, and what the host that
 * loaded them provides.
 */
const plugins = new Map<string, Provided>();

/**
 * From now on modules in `folder` may be TypeScript without a build step, on every supported Node, and find what the host provides where
 * they have no copy of their own.
 */
export function teach(folder: string, provided: Provided): void {
  if (plugins.size === 0) registerHooks({ resolve, load });
  plugins.set(folder, provided);
}

const resolve: ResolveHookSync = (specifier, context, nextResolve) => {
  const provided = providedTo(context.parentURL)?.[specifier];
  if (provided === undefined) return nextResolve(specifier, context);
  try {
    return nextResolve(specifier, context);
  } catch {
    return nextResolve(provided, context);
  }
};

/** Node strips types by itself from 22.18 on, but nowhere under `node_modules`; before it warns that it can. */
const load: LoadHookSync = (url, context, nextLoad) => {
  if (!/\.m?ts$/u.test(url) || providedTo(url) === undefined) return nextLoad(url, context);
  if (process.features.typescript !== false && !url.includes('/node_modules/')) return nextLoad(url, { ...context, format: 'module-typescript' });
  return { format: 'module', source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true };
};

function providedTo(url: string | undefined): Provided | undefined {
  if (url?.startsWith('file:') !== true) return undefined;
  const file = fileURLToPath(url.replace(/[?#].*$/u, ''));
  for (const [folder, provided] of plugins) if (file.startsWith(`${folder}${sep}`)) return provided;
  return undefined;
}
