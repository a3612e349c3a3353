import type { ContextEngine, HostTool, ToolSchema } from '@palimpsest/contracts';
import { legalName } from '@palimpsest/kernel';

export interface RecordedTools {
  /** Shown to the model, run by nobody. */
  readonly tools: readonly HostTool[];
  /** Called like an earlier one of the recording, as a model is told: it cannot be shown. */
  readonly doubled: readonly string[];
}

/** The tools of a recording, for a session with this engine. Those that the engine brings itself are left to it. Pure. */
export function recordedTools(schemas: readonly ToolSchema[], { tools: own }: Pick<ContextEngine, 'tools'>): RecordedTools {
  const taken = new Set((own ?? []).map(({ name }) => legalName(name)));
  const seen = new Set<string>();
  const [tools, doubled]: [HostTool[], string[]] = [[], []];
  for (const schema of schemas) {
    const name = legalName(schema.name);
    if (seen.has(name)) doubled.push(schema.name);
    else if (!taken.has(name)) tools.push({ ...schema, run: () => Promise.reject(new Error('a tool of a recording is not run')) });
    seen.add(name);
  }
  return { tools, doubled };
}
