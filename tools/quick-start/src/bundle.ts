import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { staysOutside } from './staying-outside.ts';

const cli = fileURLToPath(new URL('../../../apps/cli', import.meta.url));

/** By file name, from what the compiler wrote. @param write also into the folder of the command. */
export async function bundled(write: boolean): Promise<ReadonlyMap<string, string>> {
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    root: cli,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node22',
      minify: false,
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      write,
      rolldownOptions: {
        input: { quick: 'dist/main.js' },
        external: (id, importer) => staysOutside(cli, id, importer),
        output: { entryFileNames: '[name].js', chunkFileNames: 'quick-[name].js' },
      },
    },
  });
  if (!('output' in made)) throw new Error('the bundler was asked for one output, and gave several');
  return new Map(made.output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])));
}
