import { errors, json, messageOf } from '@palimpsest/contracts';
import type { Clock, ContextEngine, EngineDefinition, EngineHost } from '@palimpsest/contracts';
import { DeadlineMissed, within } from '@palimpsest/kernel';
import { z } from 'zod';

const method = z.custom<unknown>((value) => typeof value === 'function', 'is no function');
const tool = z.looseObject({ name: z.string().min(1), description: z.string(), inputSchema: z.record(z.string(), json), run: method });
const shape = z.looseObject({
  plan: method,
  compact: method.optional(),
  begin: method.optional(),
  commit: method.optional(),
  observe: method.optional(),
  status: method.optional(),
  close: method.optional(),
  tools: z
    .array(tool)
    .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, 'has a name twice')
    .optional(),
});

/** What a definition's factory makes, within `callMs`. Code of others: looked at before it is believed. @throws ENGINE_FAILED, method `create`. */
export async function madeEngine(
  { manifest, factory }: EngineDefinition,
  host: EngineHost<never>,
  { clock, callMs }: { readonly clock: Clock; readonly callMs: number },
): Promise<ContextEngine> {
  let problem: string | null;
  let engine: ContextEngine;
  try {
    engine = await within<ContextEngine>(clock, callMs, new AbortController().signal, () => factory(host));
    problem = problemOf(engine);
  } catch (cause) {
    throw errors.engineFailed(manifest.name, 'create', cause instanceof DeadlineMissed ? 'deadline' : 'throws', cause);
  }
  if (problem !== null) throw errors.engineFailed(manifest.name, 'create', 'engine-invalid', new Error(`makes no engine: ${problem}`));
  return engine;
}

/** Why it is no engine; null: it is one. */
function problemOf(engine: unknown): string | null {
  const parsed = shape.safeParse(engine);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return issue === undefined ? messageOf(parsed.error) : `${z.core.toDotPath(issue.path)} ${issue.message}`.trim();
}
