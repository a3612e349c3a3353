import { z } from 'zod';
import { messageOf, type Json } from '@palimpsest/contracts';

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
