import type { z } from 'zod';
import type { Json } from '@palimpsest/contracts';

/** What the model handed in, or the sentence that tells it what is wrong. */
export function parsedInput<T>(schema: z.ZodType<T>, input: Json): { readonly value: T } | { readonly problem: string } {
  const result = schema.safeParse(input ?? {});
  if (result.success) return { value: result.data };
  return { problem: result.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ') };
}
