import { createRuntime, type HostRuntime } from '@palimpsest/runtime';

/** What every command takes. */
export interface CommonOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Opens the runtime for one command and closes it whatever happens. */
export async function withRuntime<T>(options: CommonOptions, work: (runtime: HostRuntime) => Promise<T>): Promise<T> {
  const runtime = await createRuntime(options.config === undefined ? {} : { config: options.config });
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}
