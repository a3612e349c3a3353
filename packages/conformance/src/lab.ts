import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@palimpsest/contracts';
import type { Answer, EngineDefinition, Json, Model, SessionId } from '@palimpsest/contracts';
import { createRuntime, type HostRuntime } from '@palimpsest/runtime';
import { NoEngine } from './guard-faults.ts';
import { LabSession, NAME } from './lab-session.ts';
import { onOneThread } from './on-one-thread.ts';
import { Late, type Hung } from './patience.ts';
import type { Fault } from './report.ts';
import { Spy } from './spy.ts';

export interface LabAsk {
  readonly definition: EngineDefinition;
  readonly options: Json | null;
  readonly patienceMs: number;
  readonly hung: Hung;
  /** As in a session; else all of it runs on one. */ readonly ownThreads: boolean;
}
export interface SessionAsk {
  readonly windowTokens?: number;
  readonly id?: string;
}

const WINDOW_TOKENS = 16_000;
/** The kit has its own: it waits longer on a machine that is busy. */
const A_DAY_MS = 86_400_000;
const deadlines = { planMs: A_DAY_MS, compactMs: A_DAY_MS, callMs: A_DAY_MS };

/** A real runtime in a folder of its own: SQLite, budget, ladder, guard; only the model is a stand-in that always answers the same. */
export class Lab {
  readonly spy: Spy;
  readonly runtime: HostRuntime;
  readonly #folder: string;
  readonly #open: LabSession[] = [];
  #sessions = 0;
  #closed = false;

  private constructor(parts: { readonly spy: Spy; readonly runtime: HostRuntime; readonly folder: string }) {
    this.spy = parts.spy;
    this.runtime = parts.runtime;
    this.#folder = parts.folder;
  }

  static async open({ definition, options, patienceMs, hung, ownThreads }: LabAsk): Promise<Lab> {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-conformance-'));
    const spy = new Spy(patienceMs, hung, definition.manifest.permissions.length > 0);
    const named: EngineDefinition = { ...definition, manifest: { ...definition.manifest, name: NAME } };
    const context = { engine: NAME, ...(options === null ? {} : { engines: { [NAME]: options } }) };
    try {
      const runtime = await createRuntime({
        projectDir: folder,
        plugins: [spy.definition(named)],
        modules: ownThreads ? [] : [onOneThread],
        config: { context, store: { path: join(folder, 'store.db'), durability: 'normal' } },
      });
      return new Lab({ spy, runtime, folder });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async session({ windowTokens = WINDOW_TOKENS, id = `session-${String((this.#sessions += 1))}` }: SessionAsk = {}): Promise<LabSession> {
    const limits = { window: { tokens: windowTokens, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };
    const from = this.spy.calls.length;
    const opening = this.runtime.open({
      id: id as SessionId,
      name: null,
      tools: [],
      system: 'You are a careful assistant.',
      engine: NAME,
      chosen: { model: echo, limits },
      deadlines,
    });
    const opened = await opening.catch((error: unknown) => {
      throw this.#notMade(from) ?? error;
    });
    const session = new LabSession(opened, this.spy, this.runtime);
    this.#open.push(session);
    // The host has let the built-in engine stand in: nothing that follows would be the engine's own.
    const { engine } = await opened.session.status();
    if (engine.substituted)
      throw (
        this.#notMade(from) ??
        new NoEngine(
          engine.lookups.map(({ why }) => why).find((why) => why.includes('makes no engine')) ?? 'the host refuses what its factory makes',
        )
      );
    // The first count of all loads the vocabulary, which is no engine's fault; from then on short texts are counted here, without a thread.
    this.spy.blockTokens('');
    return session;
  }

  /** Why the factory gave no engine; the host may have told it in words of its own. */
  #notMade(from: number): Error | null {
    const made = this.spy.of('factory', from).at(-1);
    if (made?.late !== undefined) return new Late(made.late);
    return made === undefined || !('thrown' in made) ? null : asError(made.thrown);
  }

  /** What the host's guard found in any session and nobody took yet. */
  faults(): readonly Fault[] {
    return this.#open.flatMap((session) => session.faults.splice(0));
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const session of this.#open) await session.close();
    await this.runtime.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}

const answer: Answer = {
  kind: 'reply',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Understood.' }] },
  calls: [],
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  finish: 'stop',
};
const echo: Model = { route: 'openai-chat:conformance/echo', call: () => Promise.resolve(answer) };
