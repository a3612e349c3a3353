import { z } from 'zod';
import { errors, messageOf, type Json } from '@palimpsest/contracts';

type Parsed = { readonly schema: z.ZodType; readonly problem: null } | { readonly schema: null; readonly problem: string };

/** A manifest's JSON Schema as a check that runs; or why it is none. */
export function optionsSchema(options: Json): Parsed {
  try {
    const schema = z.fromJSONSchema(options as Parameters<typeof z.fromJSONSchema>[0]);
    // A schema that breaks only when it is used is found now: nothing is the value every engine may be given.
    schema.safeParse({});
    return { schema, problem: null };
  } catch (thrown) {
    return { schema: null, problem: `no JSON Schema that can be checked: ${messageOf(thrown)}` };
  }
}

/** Checks the options of an engine that brings only a factory. The parser throws CONFIG_INVALID, its paths starting at the options. */
export function optionsParser(schema: z.ZodType): (raw: Json) => unknown {
  return (raw) => {
    const result = schema.safeParse(raw ?? {});
    if (result.success) return freeze(result.data);
    const [first, ...others] = result.error.issues.flatMap(faultsOf);
    throw errors.configInvalid(
      null,
      first?.path ?? '',
      first?.problem ?? 'refused',
      null,
      others.map((fault) => ({ ...fault, near: null })),
    );
  };
}

function faultsOf(issue: z.core.$ZodIssue): readonly { readonly path: string; readonly problem: string }[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: z.core.toDotPath([...issue.path, key]), problem: 'no such option' }));
  return [{ path: z.core.toDotPath(issue.path), problem: issue.message }];
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
