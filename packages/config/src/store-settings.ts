/** The entry `@palimpsest/config/store`: the one section that a command about stored sessions needs, without the schema of all. */
import { resolve } from 'node:path';
import { withEnvironment, type Environment } from './environment.ts';
import { isMap, layered, nodeAt, type Located } from './located.ts';
import { layerTexts, readLayers, type Layers } from './read-layers.ts';
import type { Reading } from './read-yaml.ts';
import { SECTIONS } from './sections.ts';
import type { Sections } from './settings.ts';

const DEFAULTS: Sections['store'] = { path: null, durability: 'full' };

/**
 * `store` of the configuration, as `loadConfig` has it. Other sections are not checked. Where anything in the way of this one is not as it should
 * be (syntax, a section with another name), the whole configuration is read, and that says what.
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE.
 */
export async function storeSettings(options: Omit<Layers, 'document'>): Promise<Sections['store']> {
  if (!(await layerTexts(options)).some(({ text }) => mayHaveStore(text))) return DEFAULTS;
  return plainStore(await readLayers(options), options.env) ?? (await (await import('./load.ts')).loadConfig(options)).store;
}

const OTHER_SECTION = new RegExp(`^(?:${SECTIONS.filter((name) => name !== 'store').join('|')}):(?:\\s|$)`, 'u');

/**
 * Pure. False where it is plain without a parser that a text has no `store` and no section of another name: it begins in the first column with one
 * of the others, and so does all else that begins there. What belongs to a section stands further right, quoted and folded texts too.
 */
export function mayHaveStore(text: string): boolean {
  const lines = text.split('\n').filter((line) => !/^[ \t\r]*(?:#|$)/u.test(line));
  return lines.some((line, index) => (index === 0 || !/^[ \t]/u.test(line)) && !OTHER_SECTION.test(line));
}

/** Null: there is something to say about it. */
function plainStore(layers: readonly Reading[], env: Environment): Sections['store'] | null {
  if (
    layers.some(({ root, faults }) => faults.length > 0 || !isMap(root) || ![...root.entries.keys()].every((key) => SECTIONS.includes(key)))
  )
    return null;
  const [written, ...upper] = layers.flatMap(({ root }) => nodeAt(root, ['store']) ?? []).filter((node) => !isEmpty(node));
  if (written === undefined) return DEFAULTS;
  const { root, faults } = withEnvironment(upper.reduce(layered, written), env);
  return faults.length > 0 || !isMap(root) ? null : sectionOf(root.entries);
}

/** `store:` and nothing behind it. */
const isEmpty = (node: Located): boolean => node.kind === 'scalar' && node.value === null;

function sectionOf(entries: ReadonlyMap<string, Located>): Sections['store'] | null {
  const [path, durability] = [entries.get('path'), entries.get('durability')];
  if ([...entries.keys()].some((key) => key !== 'path' && key !== 'durability')) return null;
  const [file, kept] = [path === undefined ? null : scalarOf(path), durability === undefined ? 'full' : scalarOf(durability)];
  if (kept !== 'full' && kept !== 'normal') return null;
  if (file === null) return { path: null, durability: kept };
  return typeof file === 'string' && file !== '' ? { path: resolve(path?.source.folder ?? '', file), durability: kept } : null;
}

const scalarOf = (node: Located): unknown => (node.kind === 'scalar' ? node.value : undefined);
