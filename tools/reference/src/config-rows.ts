/** A JSON Schema, as far as this page reads it. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly owner?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface ConfigRow {
  readonly path: string;
  readonly takes: string;
  /** As JSON; empty where there is none. */
  readonly preset: string;
  readonly owner: string;
  readonly meaning: string;
}

/** Every key that holds a value, in the schema's order; `<name>` stands for a name that the user chooses. */
export function configRows(schema: Schema, path = '', owner = ''): readonly ConfigRow[] {
  const own = schema.owner ?? owner;
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    configRows(value, path === '' ? key : `${path}.${key}`, own),
  );
  const named = schema.additionalProperties;
  if (inner.length > 0)
    return typeof named === 'object' && named.type !== undefined ? [...inner, ...configRows(named, `${path}.<name>`, own)] : inner;
  if (typeof named === 'object' && Object.keys(named.properties ?? {}).length > 0) return configRows(named, `${path}.<name>`, own);
  return [
    {
      path,
      takes: takesOf(schema),
      preset: schema.default === undefined ? '' : JSON.stringify(schema.default),
      owner: own,
      meaning: schema.description ?? '',
    },
  ];
}

/** The values a key takes, in words. */
export function takesOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(takesOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list of ${takesOf(schema.items ?? {})}`;
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' ? `map of ${takesOf(schema.additionalProperties)}` : 'map';
  return `${schema.type ?? 'anything'}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const bounds = [
    ...(exclusiveMinimum === undefined ? [] : [`> ${String(exclusiveMinimum)}`]),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? [] : [`≥ ${String(minimum)}`]),
    ...(exclusiveMaximum === undefined ? [] : [`< ${String(exclusiveMaximum)}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`≤ ${String(maximum)}`]),
  ];
  return bounds.length === 0 ? '' : ` ${bounds.join(', ')}`;
}
