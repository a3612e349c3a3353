import type { CompactOutcome, ContextPlan, Draft, Drafts, Segment, Trigger } from '@palimpsest/contracts';
import type { HostRuntime, OpenedSession } from '@palimpsest/runtime';
import { messagesOf, type Step } from './conversations.ts';
import { guardFault } from './guard-faults.ts';
import type { Fault } from './report.ts';
import type { Spy } from './spy.ts';

const BATCH = 500;
/** Notes of one turn may cost the window divided by this. */
const NOTES_SHARE = 4;

/** One session on the engine under test, and what the host found wrong with the engine in it. */
export class LabSession {
  readonly faults: Fault[] = [];
  readonly #opened: OpenedSession;
  readonly #spy: Spy;
  readonly #runtime: HostRuntime;
  #steps: readonly Step[] = [];
  #closed = false;

  constructor(opened: OpenedSession, spy: Spy, runtime: HostRuntime) {
    this.#opened = opened;
    this.#spy = spy;
    this.#runtime = runtime;
    opened.session.on('engine.failed', ({ method, rule }) => { this.faults.push(guardFault(method, rule, this.#spy)); });
    opened.session.on('compaction.refused', ({ by, why }) => {
      const proposed = (spy.of('compact').at(-1)?.answer as CompactOutcome | undefined)?.kind === 'compacted';
      if (by !== 'host' && proposed) this.faults.push({ method: 'compact', rule: 'no-gain', problem: `the host refuses what it proposes: ${why}`, smallest: null });
    });
  }

  get session(): OpenedSession['session'] {
    return this.#opened.session;
  }

  get kit(): OpenedSession['kit'] {
    return this.#opened.kit;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  get shownTokens(): number {
    return this.kit.journal.shownTokens;
  }

  /** Appends a conversation as a host's import would, without a model. */
  async grow(steps: readonly Step[]): Promise<this> {
    const hold = await this.kit.journal.hold();
    try {
      const prompt = await this.kit.views.changeDrafts(null);
      await this.kit.journal.append(prompt.drafts, prompt.artifacts);
      const drafts = (await Promise.all(steps.map((step) => this.#draftsOf(step)))).flat();
      for (let at = 0; at < drafts.length; at += BATCH) await this.kit.journal.append(drafts.slice(at, at + BATCH));
    } finally {
      await hold.release();
    }
    this.#steps = [...this.#steps, ...steps];
    return this;
  }

  /** A plan through the host's guard; null: nobody could make one. */
  async plan(signal: AbortSignal = new AbortController().signal): Promise<ContextPlan | null> {
    return this.kit.engine.plan({ purpose: 'preview', budget: this.kit.views.budget(null), signal }).catch(() => null);
  }

  /** A compaction through the host's guard, not yet in force. Nothing but the newest user input and the open batch is protected. */
  compact(ask: { readonly goalTokens: number; readonly trigger?: Trigger; readonly signal?: AbortSignal }): Promise<CompactOutcome> {
    const { goalTokens, trigger = 'threshold', signal = new AbortController().signal } = ask;
    const open = this.kit.journal.openCalls();
    const protectedEntries = [...(this.kit.journal.newestUserEntry === null ? [] : [this.kit.journal.newestUserEntry]), ...(open === null ? [] : [open.entry.id])];
    return this.kit.engine.compact({ trigger, goalTokens, keepRecent: null, focus: null, protectedEntries, budget: this.kit.views.budget(null), signal });
  }

  /** What the branch would cost with these drafts, every summary counted by the host. @throws ENGINE_PLAN_INVALID. */
  async measured(drafts: Drafts): Promise<number> {
    const bodies = new Map((drafts.artifacts ?? []).map(({ id, body }) => [id, body]));
    const segments = await Promise.all((drafts.compaction?.segments ?? []).map((segment) => this.#recounted(segment, bodies)));
    const { shownTokens } = await this.kit.journal.preview({ ...drafts, ...(drafts.compaction === undefined ? {} : { compaction: { ...drafts.compaction, segments } }) });
    return shownTokens;
  }

  /** What the engine says at the start of a turn: cues, not a second context. */
  async introduced(): Promise<readonly Fault[]> {
    const [branch, turn] = [this.kit.journal.branch(), this.kit.journal.newestUserEntry];
    const notes = turn === null ? [] : await this.kit.engine.begin({ turn, branch, signal: new AbortController().signal });
    const tokens = notes.reduce((sum, { text }) => sum + this.blockTokens(text), 0);
    const limit = Math.floor(this.kit.views.budget(null).window.tokens / NOTES_SHARE);
    return tokens <= limit ? [] : [{ method: 'begin', rule: 'notes-too-large', problem: `its notes for one turn cost ${String(tokens)} tokens; more than a quarter of the window leaves no room for the turn`, smallest: null }];
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

  async #recounted(segment: Segment, bodies: ReadonlyMap<string, string>): Promise<Segment> {
    if (segment.show !== 'summary') return segment;
    const text = 'inline' in segment.text ? segment.text.inline : (bodies.get(segment.text.artifact) ?? (await this.#runtime.store.artifacts.get(segment.text.artifact))?.body);
    if (text === undefined) return segment;
    return { ...segment, tokens: this.#spy.blockTokens(text) };
  }

  async #draftsOf(step: Step): Promise<readonly Draft[]> {
    const messages = messagesOf(step);
    const newest = this.kit.journal.marks.first;
    if (messages === null) return newest === null ? [] : [this.kit.drafts.plain({ kind: 'label', target: newest, label: 'a name' }, null)];
    const written = await Promise.all(messages.map(({ message, origin }) => this.kit.drafts.message(message, origin, null)));
    // As in a session: before each reply stands its step, which no model is shown.
    return step.kind === 'reply' || step.kind === 'tools' ? [this.kit.drafts.plain({ kind: 'custom', by: 'conformance', key: 'step', data: null, shown: null }, null), ...written] : written;
  }
}
