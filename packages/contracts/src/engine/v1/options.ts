import { z } from 'zod';
import { errors } from '../../errors/catalogue.ts';
import { deepFrozen } from '../../frozen.ts';
import type { Json } from '../../parts.ts';

/**
 * An engine's options, as its schema gives them, frozen. Nothing written counts as an empty mapping. Pure.
 * @throws CONFIG_INVALID with every fault; paths start at the options, and each unknown key is a fault of its own, so that it can be shown where it is written.
 */
export function parsedOptions<Options>(schema: z.ZodType<Options>, raw: Json): Options {
  const result = schema.safeParse(raw ?? {});
  if (result.success) return deepFrozen(result.data);
  const [first, ...others] = result.error.issues.flatMap(faultsOf);
  throw errors.configInvalid(
    null,
    first?.path ?? '',
    first?.problem ?? 'refused',
    null,
    others.map((fault) => ({ ...fault, near: null })),
  );
}

function faultsOf(issue: z.core.$ZodIssue): readonly { readonly path: string; readonly problem: string }[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: z.core.toDotPath([...issue.path, key]), problem: 'no such option' }));
  return [{ path: z.core.toDotPath(issue.path), problem: issue.message }];
}
