/** Sessions of a chat document. */
import { createHash } from 'node:crypto';
import type { Json } from '@palimpsest/contracts';
import { stringify, type JsonObject } from '../json/values.ts';
import { elementPiece, type Piece } from '../pieces.ts';
import { StreamedSession } from '../session.ts';
import type { FactsStep } from '../steps.ts';
import { FirstPass } from '../first-pass.ts';
import type { DocumentFormat } from '../formats.ts';
import type { DocumentPart, ElementPart, SessionDocument } from './document.ts';
import type { Beside } from './format.ts';

/** The first pass. */
export async function scanDocument(
  document: SessionDocument,
  reading: DocumentFormat,
  onRaw: (chunk: Buffer) => void,
): Promise<{ readonly sessions: StreamedSession[]; readonly elements: number }> {
  const plans: Plan[] = [];
  for await (const batch of document.all(onRaw)) for (const part of batch) (plans[part.session] ??= new Plan(reading)).see(part);
  const whole = [...plans].map((plan) => plan ?? new Plan(reading));
  for (const [index, plan] of whole.entries()) {
    if (!plan.finishScan()) continue;
    for await (const batch of document.session(index)) for (const part of batch) plan.link(part);
  }
  const elements = whole.reduce((sum, plan) => sum + plan.elements, 0);
  const kept = reading.growing === true ? longest(whole) : [...whole.entries()];
  return { sessions: kept.map(([at, plan], index) => plan.session(document, at, index)), elements };
}

/** Sessions whose elements are the first ones of another session are listed there and left out, and so are empty ones. */
function longest(plans: readonly Plan[]): [number, Plan][] {
  const holder = new Map<string, number>();
  // Longer ones later, so that they hold what shorter ones begin with.
  const rising = [...plans.entries()].sort(([, one], [, other]) => one.chain.length - other.chain.length);
  for (const [at, plan] of rising) for (const link of plan.chain) holder.set(link, at);
  const within = plans.map((plan, at) => holder.get(plan.chain.at(-1) ?? '') ?? at);
  const kept = [...plans.entries()].filter(([at, plan]) => within[at] === at && !plan.isEmpty);
  if (kept.length === 0) return [...plans.entries()];
  for (const [at, plan] of plans.entries()) {
    if (plan.isEmpty) kept[0]?.[1].holds(at, true);
    else if (within[at] !== at) plans[within[at] ?? at]?.holds(at, false);
  }
  return kept;
}

class Plan {
  readonly #reading: DocumentFormat;
  readonly #pass: FirstPass;
  readonly #beside: JsonObject = {};
  #elements = 0;
  readonly #chain: string[] = [];
  readonly #notes: Piece[] = [];

  constructor(reading: DocumentFormat) {
    this.#reading = reading;
    this.#pass = new FirstPass(reading.format, false);
  }

  get elements(): number {
    return this.#elements;
  }

  see(part: DocumentPart): void {
    if ('key' in part) {
      if (this.#reading.kept.has(part.key)) this.#beside[part.key] = part.value;
      return;
    }
    if ('piece' in part) return;
    this.#elements = Math.max(this.#elements, part.index + 1);
    const piece = pieceOf(part);
    if (this.#reading.growing === true) this.#chain.push(chained(this.#chain.at(-1) ?? '', part.value));
    this.#pass.see(piece);
  }

  /** True: what the scan found changes the links, so the elements have to pass once more. */
  finishScan(): boolean {
    this.#pass.scout.beside?.(this.#beside, this.#elements);
    return this.#pass.finish();
  }

  link(part: DocumentPart): void {
    if ('index' in part) this.#pass.link(pieceOf(part));
  }

  /** By element, what the list is up to there; equal for lists that begin alike. */
  get chain(): readonly string[] {
    const [first] = this.#elements === 0 ? (this.#reading.besideOf(this.#beside).more ?? []) : [];
    return first === undefined ? this.#chain : [chained('', first)];
  }

  get isEmpty(): boolean {
    const { more = [], reply } = this.#reading.besideOf(this.#beside);
    return this.#elements === 0 && more.length === 0 && reply === null;
  }

  holds(session: number, isEmpty: boolean): void {
    this.#notes.push({ type: 'skip', at: 0, reason: isEmpty ? 'malformed' : 'superseded', detail: `body ${String(session)}` });
  }

  session(document: SessionDocument, at: number, index: number): StreamedSession {
    const beside = this.#reading.besideOf(this.#beside);
    const behind = [...(beside.more ?? []), ...(beside.reply === null ? [] : [beside.reply])];
    const notes = [...(beside.notes ?? []).map((reason): Piece => ({ type: 'note', at: 0, reason })), ...this.#notes];
    const last = [...behind.map((value, index) => elementPiece(this.#elements + index, value, null)), ...notes];
    for (const piece of last) this.#pass.link(piece);
    const source = { format: this.#reading.format, ...this.#pass.result([factsOf(beside)]), pieces: () => pieces(document, at, last) };
    return new StreamedSession(index, source, beside);
  }
}

const factsOf = ({ tools, system }: Beside): FactsStep => ({ do: 'facts', tools, ...(system === null ? {} : { system }) });

async function* pieces(document: SessionDocument, index: number, last: Piece[]): AsyncGenerator<Piece[]> {
  for await (const batch of document.session(index))
    yield batch.flatMap((part) => ('key' in part ? [] : ['piece' in part ? part.piece : pieceOf(part)]));
  yield last;
}

function pieceOf(part: ElementPart): Piece {
  if (part.tooLong !== undefined)
    return {
      type: 'skip',
      at: part.index,
      reason: 'malformed',
      detail: `an element of ${String(part.tooLong)} bytes is over the limit`,
      counts: true,
      unseen: true,
    };
  return elementPiece(part.index, part.value satisfies Json, null);
}

/** Cache markers move from request to request and change nothing; a string and its one text block are the same. */
function chained(before: string, value: Json): string {
  return createHash('sha1')
    .update(before)
    .update(stringify(withoutMarkers(value, 0)))
    .digest('base64');
}

function withoutMarkers(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > MARKER_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => withoutMarkers(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'cache_control')
      .map(([key, inner]) => [
        key,
        key === 'content' && typeof inner === 'string' ? [{ type: 'text', text: inner }] : withoutMarkers(inner, depth + 1),
      ]),
  );
}
/** Message, blocks, block, result content, its blocks. */
const MARKER_DEPTH = 6;
