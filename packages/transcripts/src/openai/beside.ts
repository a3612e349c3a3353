import type { Json, ToolSchema } from '@palimpsest/contracts';

/** What stands beside the list and says something about the session. */
export interface Beside {
  readonly id: string | null;
  readonly title: string | null;
  readonly tools: readonly ToolSchema[];
  readonly system: string | null;
  readonly reply: Json | null;
  /** Elements that stand beside the list and come behind it. */
  readonly more?: readonly Json[];
  /** Something odd about the whole. */
  readonly notes?: readonly string[];
}
