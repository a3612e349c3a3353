import type { Encoding } from './encodings.ts';

/** What crosses to the counting thread, and what comes back for it. */
export interface CountJob {
  readonly id: number;
  readonly encoding: Encoding;
  readonly slices: readonly string[];
}
export type CountReply = { readonly id: number; readonly tokens: number } | { readonly id: number; readonly problem: string };
