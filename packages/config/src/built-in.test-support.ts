/** The built-in engine as far as configuration goes: its manifest, and its own schema as its check. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { errors, type EngineDefinition, type EngineManifest } from '@palimpsest/contracts';

const manifest = parse(readFileSync(new URL('../../engine-compressor/plugin.yaml', import.meta.url), 'utf8')) as EngineManifest;
const schema = manifest.options as Parameters<typeof z.fromJSONSchema>[0] & { readonly properties: object };
const options = z.fromJSONSchema(schema);

export const builtInKeys: readonly string[] = Object.keys(schema.properties);

const compressor: EngineDefinition = {
  manifest,
  factory: () => ({ plan: () => ({ segments: [], estimateTokens: 0 }) }),
  parseOptions: (raw) => {
    const { error } = options.safeParse(raw);
    const [first, ...others] = (error?.issues ?? []).flatMap((issue) => {
      const paths = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
      return paths.map((path) => ({ path, problem: issue.message, near: null }));
    });
    if (first !== undefined) throw errors.configInvalid(null, first.path, first.problem, first.near, others);
    return raw;
  },
};

/** What the runtime knows when it loads a configuration. */
export const known = {
  engines: [compressor],
  providers: ['openai', 'openai-responses', 'anthropic', 'openai-compatible', 'scripted'],
};
