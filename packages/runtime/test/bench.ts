import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry, HostTool, Json, Model, Session, SessionId } from '@palimpsest/contracts';
import { createRuntime, type HostRuntime, type RuntimeOptions } from '../src/index.ts';

type Document = { readonly [section: string]: Json };

export interface BenchAsk extends Omit<RuntimeOptions, 'config' | 'models'> {
  /** Sections beside `store` and `models`. */
  readonly config?: Document;
  readonly model?: Model;
  readonly windowTokens?: number;
  /** Two runtimes on one store name the same file. */
  readonly store?: string;
}

/** A temp folder with runtimes over SQLite files in it; all of it is gone after `close`. */
export class Bench {
  readonly folder: string;
  readonly #open: HostRuntime[] = [];
  #stores = 0;
  #sessions = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-runtime-'));
    process.env['PALIMPSEST_HOME'] = join(folder, 'home');
    return new Bench(folder);
  }

  /** A runtime whose one model is `model`, on a window of `windowTokens`. */
  async runtime(ask: BenchAsk = {}): Promise<HostRuntime> {
    const { config = {}, model, windowTokens = 128_000, store = `store-${String((this.#stores += 1))}.db`, ...rest } = ask;
    const runtime = await createRuntime({
      projectDir: this.folder,
      ...rest,
      ...(model === undefined ? {} : { models: { main: model } }),
      config: {
        store: { path: join(this.folder, store), durability: 'normal' },
        ...(model === undefined ? {} : { models: limits(windowTokens) }),
        ...config,
      },
    });
    this.#open.push(runtime);
    return runtime;
  }

  /** A session of a name of its own on any model and tools, with a large window. */
  async session(runtime: HostRuntime, model: Model, tools: readonly HostTool[]): Promise<Session> {
    const limits = { window: { tokens: 128_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };
    const { session } = await runtime.open({
      id: `s${String((this.#sessions += 1))}` as SessionId,
      name: null,
      tools,
      chosen: { model, limits },
    });
    return session;
  }

  /** A plugin package in the user's folder that exports one engine. */
  async installed(name: string, engine: string): Promise<void> {
    const folder = join(this.folder, 'home', 'node_modules', name);
    const manifest = {
      name: engine,
      version: '1.0.0',
      contract: '^1.0',
      description: '',
      main: 'main.js',
      provides: ['context-engine'],
      owns: [],
      needs: [],
      permissions: [],
      options: {},
    };
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: { '.': { default: './main.js' } } }),
    );
    await writeFile(
      join(folder, 'main.js'),
      `export default { manifest: ${JSON.stringify(manifest)}, factory: () => ({ plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 0 }) }) };`,
    );
  }

  async close(): Promise<void> {
    for (const runtime of this.#open) await runtime.close().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A ready model takes its window from the entry of its name. */
function limits(windowTokens: number): Document {
  return { main: { provider: 'scripted', script: [{ text: 'unused' }], window_tokens: windowTokens } };
}

/** Every entry on the session's path, oldest first. */
export async function entriesOf(runtime: HostRuntime, session: string): Promise<readonly Entry[]> {
  const id = session as SessionId;
  const leaf = (await runtime.store.log.session(id))?.leaf ?? null;
  const found: Entry[] = [];
  for (let before: Entry['id'] | undefined; leaf !== null;) {
    const page = await runtime.store.log.branch(id, leaf, { limit: 500, ...(before === undefined ? {} : { before }) });
    found.push(...page);
    before = page.at(-1)?.id;
    if (before === undefined) break;
  }
  return found.reverse();
}

export function kindsOf(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => (entry.kind === 'message' ? entry.message.role : entry.kind));
}

/** A text of about this many tokens; equal seeds give equal texts. */
export function prose(tokens: number, seed: string): string {
  const words = Array.from({ length: Math.max(1, Math.ceil(tokens / 2)) }, (_, index) => `${seed}${String((index * 7919) % 9973)}`);
  return words.join(' ').slice(0, tokens * 4);
}
