import { isPalimpsestError, messageOf } from '@palimpsest/contracts';
import type { SessionRecord } from '@palimpsest/contracts';
import { stepToSet, type Config, type Fault, type ModelSettings } from '@palimpsest/config';
import { openStore } from '@palimpsest/store';
import { placeAt } from '../adapters/disk.ts';
import { RandomIds } from '../adapters/random-ids.ts';
import { storeFileOf, surroundings, type Surroundings } from '../adapters/surroundings.ts';
import { SystemClock } from '../adapters/system-clock.ts';
import { checkConfig } from '../check-config.ts';
import { isNodeEnough, OLDEST_NODE } from '../oldest-node.ts';
import type { StoreAccess } from '../sessions/access.ts';
import { listSessions, showSession } from '../sessions/list.ts';
import { loadedPlugins, lookedUpEngines, scriptFaults } from './references.ts';

/** `fix`: the next thing to do; null where all is well. */
export interface Check {
  readonly what: string;
  readonly status: 'pass' | 'warn' | 'fail';
  readonly found: string;
  readonly fix: string | null;
}

const pass = (what: string, found: string): Check => ({ what, status: 'pass', found, fix: null });
const warn = (what: string, found: string, fix: string): Check => ({ what, status: 'warn', found, fix });
const fail = (what: string, found: string, fix: string): Check => ({ what, status: 'fail', found, fix });

/** Looks at everything a session needs. Never throws: what cannot be looked at has failed. The store is only opened where there is one. */
export async function doctor(ask: { readonly config?: string; readonly nodeVersion: string }): Promise<readonly Check[]> {
  const around = surroundings();
  const checks = [nodeCheck(ask.nodeVersion)];
  const config = await checkConfig(ask.config).catch((error: unknown) => error);
  if (!isConfig(config)) return [...checks, faulty('configuration', config, 'Mend the file; `palimpsest config check` says where.')];
  checks.push(pass('configuration', config.files.length === 0 ? 'no file, all defaults' : config.files.join(', ')));
  const storeFile = storeFileOf(config.store.path, around);
  const place = await placeAt(storeFile);
  checks.push(...diskChecks(place), ...(place.exists ? await storeChecks(storeFile) : [missingStoreCheck(storeFile, place)]));
  return [...checks, ...(await pluginChecks(config, around)), ...modelChecks(config, around), ...(await scriptChecks(config))];
}

/** Pure. */
export function nodeCheck(version: string): Check {
  return isNodeEnough(version) ? pass('node', version) : fail('node', version, `Install Node.js ${OLDEST_NODE} or newer.`);
}

const MEGABYTE = 1_000_000;

/** Pure. */
export function diskChecks({ nearest, isWritable, freeBytes }: Awaited<ReturnType<typeof placeAt>>): readonly Check[] {
  const free = `${String(Math.floor(freeBytes / MEGABYTE))} MB free at ${nearest}`;
  const room =
    freeBytes < 50 * MEGABYTE
      ? fail('disk', free, 'Make room, or put `store.path` on another disk.')
      : freeBytes < 500 * MEGABYTE
        ? warn('disk', free, 'Make room soon, or put `store.path` on another disk.')
        : pass('disk', free);
  const rights = isWritable
    ? pass('permissions', `${nearest} can be written`)
    : fail(
        'permissions',
        `${nearest} cannot be written`,
        'Change its owner or mode, or set `store.path` or PALIMPSEST_HOME to a place of your own.',
      );
  return [room, rights];
}

/** Pure. Nothing is made to try it out. */
export function missingStoreCheck(file: string, { nearest, isFolder, isWritable }: Awaited<ReturnType<typeof placeAt>>): Check {
  if (isFolder && isWritable) return pass('store', `${file}: not there yet, made on first use`);
  return fail(
    'store',
    `${file}: cannot be made, ${nearest} is ${isFolder ? 'not yours to write to' : 'no folder'}`,
    'Set `store.path` or PALIMPSEST_HOME to a place of your own.',
  );
}

async function storeChecks(file: string): Promise<readonly Check[]> {
  try {
    const clock = new SystemClock();
    const store = await openStore({ file, durability: 'full', clock });
    try {
      const access = { store, clock, ids: new RandomIds() };
      const sessions = await listSessions(access, Number.MAX_SAFE_INTEGER);
      return [await wholeCheck(access, sessions, file), ...unfinishedChecks(sessions)];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [faulty('store', error, 'Move the file aside, or set `store.path` to another one; nothing was changed.')];
  }
}

const NAMED = 5;

/** Pure. None where all are finished. */
export function unfinishedChecks(sessions: readonly Pick<SessionRecord, 'id' | 'filling'>[]): readonly Check[] {
  const ids = sessions.flatMap(({ id, filling }) => (filling === 'begun' ? [id] : []));
  if (ids.length === 0) return [];
  const named = `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ` and ${String(ids.length - NAMED)} more` : ''}`;
  return [
    warn(
      'sessions',
      `${String(ids.length)} unfinished, still being written or cut off: ${named}`,
      'Run the same import, fork or replay again: it starts afresh. To keep what is there: palimpsest sessions fork SESSION',
    ),
  ];
}

const SESSIONS_READ = 5;
const ENTRIES_READ = 50;

/** Cheap: the newest entries of the newest sessions are read and parsed, and the word index is asked once. */
async function wholeCheck(runtime: StoreAccess, sessions: readonly SessionRecord[], file: string): Promise<Check> {
  for (const { id, entries, leaf } of sessions.slice(0, SESSIONS_READ)) {
    const shown = await showSession(runtime, id, ENTRIES_READ);
    // The whole path is walked; nothing of it is asked for.
    if (leaf !== null) await runtime.store.log.branch(id, leaf, { limit: 1, kinds: [] });
    const isWhole =
      leaf === null ||
      (shown.entries.at(-1)?.id === leaf && shown.entries.every((entry, index, all) => index === 0 || entry.parent === all[index - 1]?.id));
    const [newest] = await runtime.store.log.entries(id, { after: Math.max(0, entries - 1), limit: 1 });
    if (!isWhole || (entries > 0 && newest?.seq !== entries))
      return fail(
        'store',
        `${file}: session ${id} is not whole`,
        `Save what can be read: palimpsest sessions export ${id} -o FILE; then restore the file from a backup.`,
      );
  }
  await runtime.store.search.query({ text: 'palimpsest', limit: 1 });
  return pass(
    'store',
    `${file}: ${sessions.length === 1 ? '1 session, read' : `${String(sessions.length)} sessions, the newest ones read`}`,
  );
}

/** A package that cannot be loaded lets no runtime open; an engine that is not there only does so under `on_engine_failure: fail`. */
async function pluginChecks(config: Config, around: Surroundings): Promise<readonly Check[]> {
  const { registry, faults: missing } = await loadedPlugins(config, around);
  const { resolution, faults } = await lookedUpEngines(config, around, registry);
  const { asked, name, version, resolvedFrom, substituted } = resolution;
  const found = `${name} ${version} (${resolvedFrom})`;
  const report = config.context.onEngineFailure === 'fail' ? fail : warn;
  const engine = substituted
    ? report(
        'engine',
        `"${asked}" is not to be had; ${found} ${report === fail ? 'may not stand in' : 'stands in'}`,
        'Run `palimpsest engines` to see where it was looked for.',
      )
    : pass('engine', found);
  const options = faults
    .filter(({ path }) => path !== 'context.engine')
    .map((fault) => fail('engine', faultText(fault), 'Mend the file; `palimpsest config check` says where.'));
  return [
    ...missing.map((fault) => fail('plugin', faultText(fault), "Install it in the user's folder, or take it out of `plugins`.")),
    engine,
    ...options,
  ];
}

async function scriptChecks(config: Config): Promise<readonly Check[]> {
  const faults = await Promise.all(
    Object.keys(config.models).map(async (name) =>
      (await scriptFaults(config, name)).map((fault) =>
        fail(`model ${name}`, faultText(fault), 'Mend the script; docs/scripted-models.md says how it is written.'),
      ),
    ),
  );
  return faults.flat();
}

const faultText = ({ at, path, problem }: Fault): string =>
  `${at === null ? '' : `${at.file}:${String(at.line)}:${String(at.column)}: `}${path}: ${problem}`;

const KEYS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['openai', 'OPENAI_API_KEY'],
  ['openai-responses', 'OPENAI_API_KEY'],
]);

/** Pure. Says whether a key is there, never what it is. */
export function modelChecks(config: Pick<Config, 'models' | 'agent'>, { env }: Pick<Surroundings, 'env'>): readonly Check[] {
  const names = Object.keys(config.models);
  if (names.length === 0)
    return [
      warn(
        'models',
        'none is configured; replay, import and reading work without one',
        'Run `palimpsest init`, or name one under `models`.',
      ),
    ];
  const chosen = config.agent.model ?? (names.length === 1 ? names[0] : undefined);
  const choice =
    chosen !== undefined && names.includes(chosen)
      ? pass('models', `${names.join(', ')}; ${chosen} is used`)
      : fail(
          'models',
          `${names.join(', ')}; ${chosen === undefined ? 'none is chosen' : `"${chosen}" is none of them`}`,
          'Set `agent.model` to one of them.',
        );
  return [choice, ...Object.entries(config.models).flatMap(([name, settings]) => keyCheck(name, settings, env))];
}

function keyCheck(name: string, { provider, apiKey, windowTokens, unset }: ModelSettings, env: Surroundings['env']): readonly Check[] {
  const variable = KEYS.get(provider);
  const what = `model ${name}`;
  const window =
    windowTokens === null && provider !== 'scripted'
      ? [warn(what, 'its window is not known; 128,000 tokens are assumed', `Set \`models.${name}.window_tokens\`.`)]
      : [];
  if (unset.length > 0)
    return [
      fail(
        what,
        `${provider}; ${unset.map(({ path, problem }) => `${path}: ${problem}`).join('; ')}`,
        stepToSet(unset) ?? 'Change the configuration; `palimpsest config check` says where.',
      ),
      ...window,
    ];
  if (apiKey !== null || variable === undefined)
    return [pass(what, apiKey === null ? `${provider}; needs no key by itself` : `${provider}; key set in the configuration`), ...window];
  const isSet = (env[variable] ?? '') !== '';
  return [
    isSet
      ? pass(what, `${provider}; key in ${variable}`)
      : fail(what, `${provider}; no key`, `Set ${variable}, or \`models.${name}.api_key\` to "\${env:NAME}".`),
    ...window,
  ];
}

function faulty(what: string, error: unknown, fix: string): Check {
  return fail(what, messageOf(error), (isPalimpsestError(error) ? error.hint : null) ?? fix);
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && 'explain' in value;
}
