/** The largest part of a document that fits a number of tokens. Pure. */
import type { SummaryDocument } from './document.ts';
import { rendered, sections, type SectionName } from './format.ts';

export type Count = (text: string) => number;

/** Each section may fill this share before what is left over goes round; they add up to 1. */
const shares: Readonly<Record<SectionName, number>> = {
  tasks: 0.18,
  focus: 0.12,
  answers: 0.09,
  work: 0.1,
  modified: 0.12,
  read: 0.11,
  errors: 0.05,
  identifiers: 0.18,
  earlier: 0.05,
};
/** Who gets what is left over, first come first served. */
const leftoverOrder: readonly SectionName[] = ['tasks', 'focus', 'modified', 'answers', 'earlier', 'identifiers', 'errors', 'read', 'work'];
const MOST_TRIES = 16;
const SHRINK = 0.85;
/** A heading, its blank line, and the text's own opening are not counted item by item. */
const OVERHEAD_PER_SECTION = 6;

/** '' when nothing of it fits. The text's count is never above `maxTokens`. */
export function fitted(document: SummaryDocument, maxTokens: number, count: Count): string {
  const whole = rendered(withoutSaid(document, document));
  if (whole === '' || count(whole) <= maxTokens) return whole;
  const priced = price(document, count);
  let budget = maxTokens - count('');
  for (let tries = 0; tries < MOST_TRIES && budget > 0; tries += 1) {
    const text = rendered(filled(document, priced, budget));
    if (text !== '' && count(text) <= maxTokens) return text;
    budget = Math.floor(budget * SHRINK);
  }
  return '';
}

/** First every section's share; then identifiers that stand nowhere in that; then what is left over. */
function filled(document: SummaryDocument, priced: Priced, budget: number): SummaryDocument {
  const shared = part(document, choose(priced, budget, []));
  const unsaid = withoutSaid(document, shared);
  const costs = new Map(document.identifiers.map((text, at) => [text, priced.identifiers[at] ?? 1]));
  return part(unsaid, choose({ ...priced, identifiers: unsaid.identifiers.map((text) => costs.get(text) ?? 1) }, budget, leftoverOrder));
}

/** `document` with those identifiers alone that no other section of `shown` holds. */
function withoutSaid(document: SummaryDocument, shown: SummaryDocument): SummaryDocument {
  const said = rendered({ ...shown, identifiers: [] });
  return { ...document, identifiers: document.identifiers.filter((text) => !said.includes(text)) };
}

type Priced = Readonly<Record<SectionName, readonly number[]>>;
type Chosen = Readonly<Record<SectionName, number>>;

/** Tokens per item, the most important first. */
function price(document: SummaryDocument, count: Count): Priced {
  const base = count('');
  const cost = (item: string): number => Math.max(1, count(`- ${item}\n`) - base);
  const work = [...document.work].reverse().map(({ number, text }) => cost(`${String(number)}. ${text}`));
  const tasks = [...(document.goal === null ? [] : [document.goal]), ...document.tasks].map(cost);
  return {
    tasks,
    work,
    focus: document.focus.map(cost),
    answers: document.answers.map(cost),
    modified: document.modified.map(cost),
    read: document.read.map(cost),
    errors: document.errors.map(cost),
    identifiers: document.identifiers.map(cost),
    earlier: document.earlier.map(cost),
  };
}

function choose(priced: Priced, budget: number, leftover: readonly SectionName[]): Chosen {
  const present = sections.filter(({ name }) => priced[name].length > 0);
  const total = present.reduce((sum, { name }) => sum + shares[name], 0);
  const room = budget - present.length * OVERHEAD_PER_SECTION;
  const taken: Record<SectionName, number> = {
    tasks: 0,
    focus: 0,
    answers: 0,
    work: 0,
    modified: 0,
    read: 0,
    errors: 0,
    identifiers: 0,
    earlier: 0,
  };
  let left = room;
  for (const { name } of present) left -= take(priced, taken, name, (room * shares[name]) / total);
  for (const name of leftover) left -= take(priced, taken, name, left);
  return taken;
}

/** Takes further items of a section while they fit; returns what they cost. */
function take(priced: Priced, taken: Record<SectionName, number>, name: SectionName, tokens: number): number {
  let cost = 0;
  for (let next = priced[name][taken[name]]; next !== undefined && cost + next <= tokens; next = priced[name][taken[name]]) {
    cost += next;
    taken[name] += 1;
  }
  return cost;
}

function part(document: SummaryDocument, chosen: Chosen): SummaryDocument {
  const goal = chosen.tasks > 0 ? document.goal : null;
  return {
    goal,
    tasks: document.tasks.slice(0, Math.max(0, chosen.tasks - (document.goal === null ? 0 : 1))),
    work: chosen.work === 0 ? [] : document.work.slice(-chosen.work),
    focus: document.focus.slice(0, chosen.focus),
    answers: document.answers.slice(0, chosen.answers),
    modified: document.modified.slice(0, chosen.modified),
    read: document.read.slice(0, chosen.read),
    errors: document.errors.slice(0, chosen.errors),
    identifiers: document.identifiers.slice(0, chosen.identifiers),
    earlier: document.earlier.slice(0, chosen.earlier),
  };
}
