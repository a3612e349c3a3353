import type { HostTool } from '@palimpsest/contracts';

/** A host tool whose answer is a function of its input. */
export function tool(name: string, run: HostTool['run']): HostTool {
  return { name, description: `Test tool ${name}.`, inputSchema: { type: 'object', properties: {}, additionalProperties: true }, run };
}

/** Settles when told. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
