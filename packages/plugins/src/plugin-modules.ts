import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, stripTypeScriptTypes, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Modules that a plugin may import without bringing them along: bare specifier → URL of the host's own copy. */
export type Provided = Readonly<Record<string, string>>;

/**
 * Node's module loader belongs to the process, and so does what it is taught here: which folders hold plugins, and what the host that
 * loaded them provides.
 */
const plugins = new Map<string, Plugin>();
interface Plugin {
  readonly folder: string;
  readonly provided: Provided;
  readonly content: string;
}

/**
 * From now on modules in `folder` may be TypeScript without a build step, on every supported Node, and find what the host provides where
 * the folder has no copy of its own. Everything else they import has to lie in the folder: nobody who trusted the plugin has seen more.
 * Node keeps a module for as long as the process lives; `content` says what the folder holds now, and other content is other modules.
 * Answers how a module of the folder is addressed. @throws Error where the modules that Node keeps would run in the place of new ones.
 */
export function teach(folder: string, provided: Provided, content: string): (url: string) => string {
  if (plugins.size === 0) registerHooks({ resolve, load });
  const before = plugins.get(folder)?.content ?? content;
  if (before !== content && hasRequired(folder))
    throw new Error('it has changed, and this process keeps its CommonJS modules as they were; start the process again');
  plugins.set(folder, { folder, provided, content });
  return (url) => addressed(url, content);
}

const CONTENT = 'palimpsest-content';
function addressed(url: string, content: string): string {
  const address = new URL(url);
  address.searchParams.set(CONTENT, content);
  return address.href;
}

/** CommonJS is kept by its file, whatever its address says. */
function hasRequired(folder: string): boolean {
  return Object.keys(createRequire(import.meta.url).cache).some((file) => file.startsWith(`${folder}${sep}`));
}

const resolve: ResolveHookSync = (specifier, context, nextResolve) => {
  const plugin = pluginOf(context.parentURL);
  if (plugin === undefined) return nextResolve(specifier, context);
  const name = Object.keys(plugin.provided).find((one) => specifier === one || specifier.startsWith(`${one}/`)) ?? '';
  const copy = plugin.provided[name];
  if (copy === undefined) return ownOnly(plugin, specifier, nextResolve(specifier, context), context.parentURL);
  try {
    return ownOnly(plugin, specifier, nextResolve(specifier, context), context.parentURL);
  } catch {
    // The folder has none of its own. What else a provided package exports is found as the package itself finds it.
    if (specifier === name) return { url: copy, shortCircuit: true };
    if (!context.conditions.includes('require')) return nextResolve(specifier, { ...context, parentURL: copy });
    return { url: pathToFileURL(createRequire(copy).resolve(specifier)).href, shortCircuit: true };
  }
};

function ownOnly<Found extends { readonly url: string }>(plugin: Plugin, specifier: string, found: Found, parent = ''): Found {
  if (found.url.startsWith('node:')) return found;
  // What a module imports late is of its own content still.
  if (pluginOf(found.url) === plugin)
    return { ...found, url: addressed(found.url, new URL(parent).searchParams.get(CONTENT) ?? plugin.content) };
  const provided = Object.keys(plugin.provided).join(', ');
  throw new Error(`"${specifier}" does not lie in the plugin's folder; outside of it there is what the host provides: ${provided}`);
}

/** Node strips types by itself from 22.18 on, but nowhere under `node_modules`; before it warns that it can. */
const load: LoadHookSync = (url, context, nextLoad) => {
  if (!/\.m?ts(?:\?|$)/u.test(url) || pluginOf(url) === undefined) return nextLoad(url, context);
  if (process.features.typescript !== false && !url.includes('/node_modules/'))
    return nextLoad(url, { ...context, format: 'module-typescript' });
  return { format: 'module', source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true };
};

function pluginOf(url: string | undefined): Plugin | undefined {
  if (url?.startsWith('file:') !== true) return undefined;
  const file = fileURLToPath(url.replace(/[?#].*$/u, ''));
  for (const plugin of plugins.values()) if (file.startsWith(`${plugin.folder}${sep}`)) return plugin;
  return undefined;
}
