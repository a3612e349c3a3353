import { countTokens } from '@palimpsest/budget';
import type { Entry, ModelRequest, Why } from '@palimpsest/contracts';
import { openWire } from '@palimpsest/models';
import type { HostRuntime } from '../src/index.ts';
import { entriesOf } from './bench.ts';

/** A body of Chat Completions, as far as the checks read it. */
interface Body {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: unknown;
}

/** What a strict provider would refuse about the order of calls and results in a body. */
export function pairFaultsIn(body: string): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [at, message] of (JSON.parse(body) as Body).messages.entries()) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id ?? '')) faults.push(`${String(at)}: result without a call`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) faults.push(`${String(at)}: unanswered ${open.join(', ')}`);
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? [...faults, `unanswered at the end: ${open.join(', ')}`] : faults;
}

/** Looks at one session from outside, step by step, and says which of the invariants do not hold. */
export class Witness {
  readonly faults: string[] = [];
  #runtime: HostRuntime;
  readonly #session: string;
  #steps = 0;
  #last: { readonly body: string; readonly why: Why } | null = null;

  constructor(runtime: HostRuntime, session: string) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** Checks these requests, the newest of the session, in the order they were sent. `marker` stands in the newest user input. */
  async sent(requests: readonly ModelRequest[], marker: string): Promise<void> {
    const [wire, entries] = [await openWire('openai-chat'), await entriesOf(this.#runtime, this.#session)];
    for (const request of requests) {
      this.#steps += 1;
      const why = await this.#runtime.why(this.#session, this.#steps);
      const body = await wire.body(request);
      this.#check(why.verified, 'why does not verify');
      this.#check(why.body === body, 'why gives other bytes than were sent');
      this.#check(body.includes(marker), `the newest user input ${marker} is not in the request`);
      for (const fault of pairFaultsIn(body)) this.#check(false, fault);
      this.#fits(why, body);
      this.#prefix(why, body);
      this.#accounted(why, entries);
      this.#last = { body, why };
    }
  }

  /** The same session, opened by another runtime. */
  over(runtime: HostRuntime): void {
    this.#runtime = runtime;
  }

  /** The session went to another place of its tree; `steps` stand on its path now. */
  moved(steps: number): void {
    this.#steps = steps;
    this.#last = null;
  }

  async keeps(texts: readonly string[]): Promise<void> {
    const log = JSON.stringify(await entriesOf(this.#runtime, this.#session));
    for (const text of texts) this.#check(log.includes(JSON.stringify(text).slice(1, -1)), `lost: ${text.slice(0, 60)}`);
  }

  #fits({ judgement, budget }: Why, body: string): void {
    this.#check(judgement.tokens <= budget.effective, `judged ${String(judgement.tokens)} above ${String(budget.effective)}`);
    const counted = countTokens(body, 'o200k_base', Number.POSITIVE_INFINITY);
    this.#check(
      counted <= budget.effective,
      `counted ${String(counted)} above ${String(budget.effective)} (judged ${String(judgement.tokens)})`,
    );
  }

  #prefix(why: Why, body: string): void {
    const last = this.#last;
    if (last === null || why.epoch !== last.why.epoch)
      return this.#check(last === null || why.breakReason !== null, 'an epoch began without a reason');
    this.#check(why.breakReason === null, `the prefix broke within an epoch: ${String(why.breakReason)}`);
    const [before, now] = [JSON.parse(last.body) as Body, JSON.parse(body) as Body];
    this.#check(
      JSON.stringify(now.messages.slice(0, before.messages.length)) === JSON.stringify(before.messages),
      'the request is not an extension of the one before',
    );
    this.#check(JSON.stringify(now.tools) === JSON.stringify(before.tools), 'the tools changed within an epoch');
  }

  /** Every entry of the path is a block, is never shown, or lies in a stretch that says why. */
  #accounted(why: Why, entries: readonly Entry[]): void {
    const path = entries.slice(
      0,
      entries.findIndex(({ id }) => id === why.step),
    );
    const shown = new Set<string>(why.blocks.filter(({ shape }) => shape !== 'summary').map(({ origin }) => origin));
    const edges = new Set<string>([
      ...why.hidden.map(({ through }) => through),
      ...why.blocks.filter(({ shape }) => shape === 'summary').map(({ origin }) => origin),
    ]);
    let explained = false;
    for (const entry of [...path].reverse()) {
      if (edges.has(entry.id)) explained = true;
      if (shown.has(entry.id)) explained = false;
      else if (!explained && isVisible(entry)) this.#check(false, `entry ${String(entry.seq)} is neither shown nor explained`);
    }
    for (const { reason } of why.hidden) this.#check(reason !== '', 'a stretch is hidden without a reason');
  }

  #check(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(`step ${String(this.#steps)}: ${fault}`);
  }
}

function isVisible(entry: Entry): boolean {
  if (entry.kind === 'message')
    return (
      entry.hidden !== true &&
      (entry.message.role !== 'assistant' || entry.message.content.some((part) => part.type === 'text' || part.type === 'tool-call'))
    );
  return entry.kind === 'custom' && entry.shown !== null;
}
