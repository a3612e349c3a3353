import { join } from 'node:path';
import { isPalimpsestError, messageOf } from '@palimpsest/contracts';
import type { Config, ModelSettings } from '@palimpsest/config';
import { placeAt } from '../adapters/disk.ts';
import { surroundings, type Surroundings } from '../adapters/surroundings.ts';
import { checkConfig } from '../check-config.ts';
import { isNodeEnough, OLDEST_NODE } from '../oldest-node.ts';
import { createRuntime, type HostRuntime } from '../runtime.ts';
import { listSessions, showSession } from '../sessions/list.ts';

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
  const storeFile = config.store.path ?? join(around.userDir, 'palimpsest.db');
  const place = await placeAt(storeFile);
  checks.push(...diskChecks(place));
  if (place.exists) checks.push(...(await withRuntime(ask.config, async (runtime) => [await storeCheck(runtime, storeFile), await engineCheck(runtime)])));
  else checks.push(pass('store', `${storeFile}: not there yet, made on first use`));
  return [...checks, ...modelChecks(config, around)];
}

/** Pure. */
export function nodeCheck(version: string): Check {
  return isNodeEnough(version) ? pass('node', version) : fail('node', version, `Install Node.js ${OLDEST_NODE} or newer.`);
}

const MEGABYTE = 1_000_000;

/** Pure. */
export function diskChecks({ nearest, isWritable, freeBytes }: Awaited<ReturnType<typeof placeAt>>): readonly Check[] {
  const free = `${String(Math.floor(freeBytes / MEGABYTE))} MB free at ${nearest}`;
  const room = freeBytes < 50 * MEGABYTE ? fail('disk', free, 'Make room, or put `store.path` on another disk.') : freeBytes < 500 * MEGABYTE ? warn('disk', free, 'Make room soon, or put `store.path` on another disk.') : pass('disk', free);
  const rights = isWritable ? pass('permissions', `${nearest} can be written`) : fail('permissions', `${nearest} cannot be written`, 'Change its owner or mode, or set `store.path` or PALIMPSEST_HOME to a place of your own.');
  return [room, rights];
}

async function withRuntime(config: string | undefined, look: (runtime: HostRuntime) => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    const runtime = await createRuntime(config === undefined ? {} : { config });
    try {
      return await look(runtime);
    } finally {
      await runtime.close();
    }
  } catch (error) {
    return [faulty('store', error, 'Move the file aside, or set `store.path` to another one; nothing was changed.')];
  }
}

const SESSIONS_READ = 5;
const ENTRIES_READ = 50;

/** Cheap: the newest entries of the newest sessions are read and parsed, and the word index is asked once. */
async function storeCheck(runtime: HostRuntime, file: string): Promise<Check> {
  const sessions = await listSessions(runtime, Number.MAX_SAFE_INTEGER);
  for (const { id, entries, leaf } of sessions.slice(0, SESSIONS_READ)) {
    const shown = await showSession(runtime, id, ENTRIES_READ);
    const isWhole = leaf === null || (shown.entries.at(-1)?.id === leaf && shown.entries.every((entry, index, all) => index === 0 || entry.parent === all[index - 1]?.id));
    const [newest] = await runtime.store.log.entries(id, { after: Math.max(0, entries - 1), limit: 1 });
    if (!isWhole || (entries > 0 && newest?.seq !== entries)) return fail('store', `${file}: session ${id} is not whole`, `Save what can be read: palimpsest sessions export ${id} -o FILE; then restore the file from a backup.`);
  }
  await runtime.store.search.query({ text: 'palimpsest', limit: 1 });
  return pass('store', `${file}: ${String(sessions.length)} sessions, the newest ones read`);
}

async function engineCheck(runtime: HostRuntime): Promise<Check> {
  try {
    const { asked, name, version, resolvedFrom, substituted } = await runtime.resolution();
    const found = `${name} ${version} (${resolvedFrom})`;
    return substituted ? warn('engine', `"${asked}" is not to be had; ${found} stands in`, 'Run `palimpsest engines` to see where it was looked for.') : pass('engine', found);
  } catch (error) {
    return faulty('engine', error, 'Run `palimpsest engines` to see where it was looked for.');
  }
}

const KEYS: ReadonlyMap<string, string> = new Map([['anthropic', 'ANTHROPIC_API_KEY'], ['openai', 'OPENAI_API_KEY'], ['openai-responses', 'OPENAI_API_KEY']]);

/** Pure. Says whether a key is there, never what it is. */
export function modelChecks(config: Pick<Config, 'models' | 'agent'>, { env }: Pick<Surroundings, 'env'>): readonly Check[] {
  const names = Object.keys(config.models);
  if (names.length === 0) return [warn('models', 'none is configured; replay, import and reading work without one', 'Run `palimpsest init`, or name one under `models`.')];
  const chosen = config.agent.model ?? (names.length === 1 ? names[0] : undefined);
  const choice = chosen !== undefined && names.includes(chosen) ? pass('models', `${names.join(', ')}; ${chosen} is used`) : fail('models', `${names.join(', ')}; ${chosen === undefined ? 'none is chosen' : `"${chosen}" is none of them`}`, 'Set `agent.model` to one of them.');
  return [choice, ...Object.entries(config.models).flatMap(([name, settings]) => keyCheck(name, settings, env))];
}

function keyCheck(name: string, { provider, apiKey, windowTokens, unset }: ModelSettings, env: Surroundings['env']): readonly Check[] {
  const variable = KEYS.get(provider);
  const what = `model ${name}`;
  const window = windowTokens === null && provider !== 'scripted' ? [warn(what, 'its window is not known; 128,000 tokens are assumed', `Set \`models.${name}.window_tokens\`.`)] : [];
  if (unset.length > 0) return [fail(what, `${provider}; ${unset.map(({ path, problem }) => `${path}: ${problem}`).join('; ')}`, 'Set it, or change the configuration; `palimpsest config check` says where.'), ...window];
  if (apiKey !== null || variable === undefined) return [pass(what, apiKey === null ? `${provider}; needs no key by itself` : `${provider}; key set in the configuration`), ...window];
  const isSet = (env[variable] ?? '') !== '';
  return [isSet ? pass(what, `${provider}; key in ${variable}`) : fail(what, `${provider}; no key`, `Set ${variable}, or \`models.${name}.api_key\` to "\${env:NAME}".`), ...window];
}

function faulty(what: string, error: unknown, fix: string): Check {
  return fail(what, messageOf(error), (isPalimpsestError(error) ? error.hint : null) ?? fix);
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && 'explain' in value;
}
