import { callsOf, isShownEntry } from '@palimpsest/contracts';
import type {
  Artifact,
  ArtifactId,
  CompactOutcome,
  CompactRequest,
  ContextPlan,
  EntryId,
  Placed,
  PlanRequest,
} from '@palimpsest/contracts';
import type { HostRuntime, OpenedSession } from '@palimpsest/runtime';
import type { Step } from './conversations.ts';
import { grown } from './growth.ts';
import { guardFault } from './guard-faults.ts';
import type { Fault } from './report.ts';
import type { Spy } from './spy.ts';

/** The built-in engine's own name is taken; its like is tested under this one. */
export const NAME = 'under-test';

export type CompactAsk = { readonly goalTokens: number } & Partial<Pick<CompactRequest, 'trigger' | 'keepRecent' | 'focus' | 'signal'>>;

/** One session on the engine under test, and what the host found wrong with the engine in it. */
export class LabSession {
  readonly faults: Fault[] = [];
  readonly #opened: OpenedSession;
  readonly #spy: Spy;
  readonly #runtime: HostRuntime;
  #closed = false;

  constructor(opened: OpenedSession, spy: Spy, runtime: HostRuntime) {
    this.#opened = opened;
    this.#spy = spy;
    this.#runtime = runtime;
    let isNamed = false;
    opened.session.on('engine.failed', ({ method, rule }) => {
      isNamed = method === 'compact';
      this.faults.push(guardFault(method, rule, spy));
    });
    // By the engine itself: not by whoever stands in for it, nor by the host, and for no reason that was named already.
    opened.session.on('compaction.refused', ({ by, why }) => {
      const proposed = (spy.of('compact').at(-1)?.answer as CompactOutcome | undefined)?.kind === 'compacted';
      if (proposed && !isNamed && by.startsWith(`${NAME}@`))
        this.faults.push({ method: 'compact', rule: 'no-gain', problem: `the host refuses what it proposes: ${why}`, smallest: null });
      isNamed = false;
    });
  }

  get session(): OpenedSession['session'] {
    return this.#opened.session;
  }

  get kit(): OpenedSession['kit'] {
    return this.#opened.kit;
  }

  get shownTokens(): number {
    return this.kit.journal.shownTokens;
  }

  /** Appends a conversation as a host's import would, without a model. */
  async grow(steps: readonly Step[]): Promise<this> {
    await grown(this.kit, steps);
    return this;
  }

  /** A plan through the host's guard; null: nobody could make one. */
  async plan(purpose: PlanRequest['purpose'] = 'preview'): Promise<ContextPlan | null> {
    return this.kit.engine.plan({ purpose, budget: this.kit.views.budget(null), signal: new AbortController().signal }).catch(() => null);
  }

  /** A compaction through the host's guard, not yet in force. Nothing but the newest user input and the open batch is protected. */
  compact(ask: CompactAsk): Promise<CompactOutcome> {
    return this.kit.engine.compact({
      trigger: 'threshold',
      keepRecent: null,
      focus: null,
      signal: new AbortController().signal,
      ...ask,
      protectedEntries: this.#untouchable(),
      budget: this.kit.views.budget(null),
    });
  }

  async placed(): Promise<readonly Placed[]> {
    const placed: Placed[] = [];
    for await (const one of this.kit.journal.branch().oldestFirst(null)) placed.push(one);
    return placed;
  }

  /** Every tool of the engine, asked once; whatever it answers. */
  async tools(): Promise<void> {
    const asked = { branch: this.kit.journal.branch(), maxTokens: 500, signal: new AbortController().signal };
    for (const tool of this.kit.engine.engine.tools ?? []) await tool.run({}, asked).catch(() => undefined);
  }

  artifact(id: ArtifactId): Promise<Artifact | null> {
    return this.#runtime.store.artifacts.get(id);
  }

  /** Some model may have written what the engine shows: one that the kit stands in for, or one that it asks the operator for. */
  get isModelAtWork(): boolean {
    return this.#spy.traces.isModelAtWork;
  }

  /** The host's figure for a summary's text, wrapper and all. */
  blockTokens(text: string): number {
    return this.#spy.blockTokens(text);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.session.close();
  }

  /** As the host protects them: what a person said last, and calls whose results nobody has answered yet. */
  #untouchable(): readonly EntryId[] {
    const shown = this.kit.journal
      .shown()
      .filter(isShownEntry)
      .map(({ placed }) => placed);
    const group = shown.at(-1)?.group;
    const asking = shown.find(({ entry }) => entry.id === group)?.entry;
    const isOpen = asking?.kind === 'message' && callsOf(asking.message).length > 0;
    return shown
      .filter((one) => one.entry.id === this.kit.journal.newestUserEntry || (isOpen && one.group === group))
      .map(({ entry }) => entry.id);
  }
}
