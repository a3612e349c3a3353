import { stat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errors } from '@palimpsest/contracts/plain';
import type { Environment } from './environment.ts';
import type { Source } from './located.ts';
import { readDocument } from './read-document.ts';
import type { Reading } from './read-yaml.ts';

export const CONFIG_FILE = 'palimpsest.yaml';
const MOST_BYTES = 1_048_576;

/** Where the documents come from. */
export interface Layers {
  /** Holds the project's `palimpsest.yaml`; relative paths of `file` and `document` start here. */
  readonly projectDir: string;
  /** Holds the user's. */
  readonly userDir: string;
  /** A file that has to exist, over both. */
  readonly file?: string;
  /** A parsed document, over everything else. */
  readonly document?: object;
  readonly env: Environment;
}

/** One file as it lies there. */
export interface LayerText {
  readonly text: string;
  readonly source: Source & { readonly file: string };
}

/** The files that exist, lowest first. @throws CONFIG_UNREADABLE. */
export async function layerTexts({ projectDir, userDir, file }: Layers): Promise<readonly LayerText[]> {
  const user = await layerText(join(userDir, CONFIG_FILE), 'user', false);
  const project = await layerText(join(projectDir, CONFIG_FILE), 'project', false);
  const explicit = file === undefined ? null : await layerText(resolve(projectDir, file), 'explicit', true);
  return [user, project, explicit].filter((layer) => layer !== null);
}

/** The layers that exist, lowest first, as they are written. The parser is loaded where there is something to parse. @throws CONFIG_UNREADABLE. */
export async function readLayers(layers: Layers): Promise<readonly Reading[]> {
  const texts = await layerTexts(layers);
  const files = texts.length === 0 ? [] : await parsed(texts);
  const { document, projectDir } = layers;
  return document === undefined ? files : [...files, readDocument(document, { origin: 'explicit', file: null, folder: projectDir })];
}

async function parsed(texts: readonly LayerText[]): Promise<readonly Reading[]> {
  const { readYaml } = await import('./read-yaml.ts');
  return texts.map(({ text, source }) => readYaml(text, source));
}

async function layerText(file: string, origin: Source['origin'], required: boolean): Promise<LayerText | null> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new RangeError(`it is larger than ${String(MOST_BYTES)} bytes`);
    return { text: await readFile(file, 'utf8'), source: { origin, file, folder: dirname(file) } };
  } catch (thrown) {
    if (!required && isMissing(thrown)) return null;
    throw errors.configUnreadable(file, thrown);
  }
}

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR');
