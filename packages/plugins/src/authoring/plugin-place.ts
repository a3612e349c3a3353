import { basename, dirname, join, resolve, sep } from 'node:path';

/** Where a project, and the user's folder, keep their engines. */
export const PLUGINS_PLACE = join('plugins', 'context_engine');

/** The folder whose plugin this is; null: no session would look for it there. Pure. */
export function ownerOf(folder: string): string | null {
  const parent = dirname(resolve(folder));
  return parent.endsWith(`${sep}${PLUGINS_PLACE}`) ? resolve(parent, '..', '..') : null;
}

export interface Made {
  readonly name: string;
  readonly folder: string;
  readonly projectDir: string;
  readonly userDir: string;
}

/** What an author does next with a plugin, as it is typed where he is. The last line is no command. Pure. */
export function nextSteps({ name, folder, projectDir, userDir }: Made): readonly string[] {
  const owner = ownerOf(folder);
  const trust = `palimpsest engine trust ${name}`;
  const chosen = `context.engine: ${name} in palimpsest.yaml`;
  const check = `palimpsest engine check ${word(folder)}`;
  if (owner === resolve(userDir)) return [check, chosen];
  if (owner === resolve(projectDir)) return [check, trust, chosen];
  if (owner !== null) return [check, `cd ${word(owner)} && ${trust}`, chosen];
  return [check, `mkdir -p ${PLUGINS_PLACE} && cp -R ${word(folder)} ${PLUGINS_PLACE}/`, trust, chosen];
}

/** How to trust what was named by a path, or is a project's above. Pure. */
export function trustAdvice(folder: string, projectDir: string): string {
  const [owner, name] = [ownerOf(folder), basename(resolve(folder))];
  if (owner === null)
    return `A plugin runs from a project: copy the folder into its ${PLUGINS_PLACE}, and run there: palimpsest engine trust ${name}`;
  return `Run: ${owner === resolve(projectDir) ? '' : `cd ${word(owner)} && `}palimpsest engine trust ${name}`;
}

/** As a shell takes it. */
function word(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
