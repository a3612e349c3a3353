import { dirname, join, resolve } from 'node:path';

/** Commands that have to start at once; the others load a runtime, next to which their own files are nothing. */
const QUICK: readonly string[] = ['sessions'];
const OWN = /^(?:@palimpsest\/|commander$|picocolors$)/u;

/** What no engine and no package of others can import, so that nobody meets a second copy of it; and what starts no thread from a file beside it. */
const INLINE = /^(?:@palimpsest\/(?:kernel|config|transcripts|maintenance|prompt|plugins)(?:$|\/)|yaml$)/u;

/** For what every command loads. What an import leads to is loaded as ever: Node's own, libraries, and the commands that are not quick. Pure. */
export function staysOutside(cli: string, id: string, importer: string | undefined): boolean {
  if (id.startsWith('.') || id.startsWith('/'))
    return isOtherCommand(cli, importer === undefined ? resolve(cli, id) : resolve(dirname(importer), id));
  return !OWN.test(id);
}

/** For the runtime. Pure. */
export function staysShared(id: string): boolean {
  return !id.startsWith('.') && !id.startsWith('/') && !INLINE.test(id);
}

function isOtherCommand(cli: string, file: string): boolean {
  const commands = join(cli, 'dist/commands/');
  return file.startsWith(commands) && !QUICK.some((name) => file === `${commands}${name}.js`);
}
