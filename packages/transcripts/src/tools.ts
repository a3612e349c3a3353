/** Tool schemas for a session that recorded none: made once from all its calls, so that a replay has the same ones from its first step. */
import type { Json, ToolSchema } from '@palimpsest/contracts';

interface Seen {
  calls: number;
  readonly keys: Map<string, { readonly types: Set<string>; count: number }>;
}

export class ToolsSeen {
  readonly #tools = new Map<string, Seen>();

  see(name: string, input: Json): void {
    const tool: Seen = this.#tools.get(name) ?? { calls: 0, keys: new Map() };
    this.#tools.set(name, tool);
    tool.calls++;
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
    for (const [key, value] of Object.entries(input)) {
      const seen = tool.keys.get(key) ?? { types: new Set<string>(), count: 0 };
      tool.keys.set(key, seen);
      seen.count++;
      seen.types.add(typeName(value));
    }
  }

  /** In the order of first use. A key is required when every call has it. */
  schemas(): ToolSchema[] {
    return [...this.#tools].map(([name, tool]) => ({ name, description: `Recorded tool ${name}.`, inputSchema: schemaOf(tool) }));
  }
}

function schemaOf({ calls, keys }: Seen): Json {
  const required = [...keys].filter(([, seen]) => seen.count === calls).map(([key]) => key);
  const properties = Object.fromEntries(
    [...keys].map(([key, { types }]): [string, Json] => [key, { type: types.size === 1 ? [...types].join('') : [...types] }]),
  );
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
