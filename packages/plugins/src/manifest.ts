import { readFile, stat } from 'node:fs/promises';
import { isMap, LineCounter, parseDocument, type Document, type Pair } from 'yaml';
import type { z } from 'zod';
import { engineManifest, errors, messageOf, type EngineManifest } from '@palimpsest/contracts';
import { optionsSchema } from './options.ts';

export const MANIFEST_FILE = 'plugin.yaml';
/** A manifest is read before anybody trusts its folder. */
const MOST_BYTES = 65_536;
const MOST_ALIASES = 100;

/** Reads and checks a `plugin.yaml`; no code of the plugin runs. @throws PLUGIN_MANIFEST_INVALID with file and line. */
export async function readManifest(file: string): Promise<EngineManifest> {
  return parseManifest(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new TypeError('it is no file');
    if (found.size > MOST_BYTES) throw new RangeError(`it is larger than ${String(MOST_BYTES)} bytes`);
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw errors.pluginManifestInvalid(file, `cannot be read: ${messageOf(thrown)}`);
  }
}

/** Checks the text of a manifest. Pure; `file` is for the error. @throws PLUGIN_MANIFEST_INVALID. */
export function parseManifest(text: string, file: string): EngineManifest {
  const counter = new LineCounter();
  const { document, value } = parsed(text, file, counter);
  const result = engineManifest.safeParse(value);
  if (!result.success) throw refused(document, counter, file, result.error);
  const problem = optionsSchema(result.data.options).problem;
  if (problem !== null) throw errors.pluginManifestInvalid(file, `options: ${problem}`, lineAt(document, counter, ['options']));
  return result.data;
}

function parsed(text: string, file: string, counter: LineCounter): { readonly document: Document; readonly value: unknown } {
  const line = (offset: number): number => Math.max(1, counter.linePos(offset).line);
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, merge: true });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined)
      throw errors.pluginManifestInvalid(
        file,
        fault.code === 'DUPLICATE_KEY' ? 'a key is written twice' : fault.message,
        line(fault.pos[0]),
      );
    return { document, value: document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {} };
  } catch (thrown) {
    // Besides our own error: aliases that expand without end, nesting that ends the stack.
    throw thrown instanceof Error && 'code' in thrown && thrown.code === 'PLUGIN_MANIFEST_INVALID'
      ? thrown
      : errors.pluginManifestInvalid(file, `cannot be parsed: ${messageOf(thrown)}`);
  }
}

function refused(document: Document, counter: LineCounter, file: string, { issues }: z.ZodError): Error {
  const problems = issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
    const isMissing = issue.code === 'invalid_type' && !document.hasIn(path);
    return { line: lineAt(document, counter, path), text: `${path.map(String).join('.')}: ${isMissing ? 'is missing' : issue.message}` };
  });
  return errors.pluginManifestInvalid(file, problems.map(({ text }) => text).join('; '), problems[0]?.line ?? 1);
}

/** Line of the key at `path`, or of the nearest one above it that is written. */
function lineAt(document: Document, counter: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent)
      ? (parent.items as Pair<{ value?: unknown; range?: [number, number, number] }>[]).find(({ key }) => key.value === path[length - 1])
      : undefined;
    if (pair?.key.range !== undefined) return counter.linePos(pair.key.range[0]).line;
  }
  return 1;
}
