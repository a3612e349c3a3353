import { fileURLToPath } from 'node:url';
import { build, type Rolldown, type UserConfig } from 'vite';
import { licencesOf } from './licences.ts';
import { staysOutside, staysShared } from './staying-outside.ts';

export type Bundle = 'runtime' | 'command';

/** What the runtime's package exports, by the name of its compiled file. */
export const ENTRIES: readonly string[] = ['index', 'stored-sessions', 'authoring'];

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
/** By package: its folder. */
const FOLDERS: Readonly<Record<Bundle, string>> = { runtime: at('packages/runtime'), command: at('apps/cli') };

const banner = ({ moduleIds }: Rolldown.RenderedChunk): string => licencesOf(moduleIds);

const OPTIONS: Readonly<Record<Bundle, Rolldown.RolldownOptions>> = {
  runtime: {
    input: Object.fromEntries(ENTRIES.map((name) => [name, `dist/${name}.js`])),
    external: staysShared,
    output: { entryFileNames: 'few/[name].js', chunkFileNames: 'few/part-[name].js', banner },
  },
  command: {
    input: { quick: 'dist/main.js' },
    external: (id, importer) => staysOutside(FOLDERS.command, id, importer),
    output: { entryFileNames: '[name].js', chunkFileNames: 'quick-[name].js', banner },
  },
};
/** The quick commands take single modules out of the runtime. */
const RESOLVE: Readonly<Record<Bundle, UserConfig['resolve']>> = {
  runtime: {},
  command: { alias: { '@palimpsest/runtime/sessions': at('packages/runtime/dist/stored-sessions.js') } },
};

export const folderOf = (which: Bundle): string => FOLDERS[which];

/** By file name below `dist`, from what the compiler wrote. @param write also into the folder of the package. */
export async function bundled(which: Bundle, write: boolean): Promise<ReadonlyMap<string, string>> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    root: FOLDERS[which],
    ssr: { noExternal: true },
    resolve: RESOLVE[which] ?? {},
    build: {
      ssr: true,
      target: 'node22',
      minify: false,
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      write,
      rolldownOptions: OPTIONS[which],
    },
  });
  if (!('output' in made)) throw new Error('the bundler was asked for one output, and gave several');
  return new Map(made.output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])));
}
