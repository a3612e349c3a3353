import type { z } from 'zod';
import type { Budget, ContextEngine, EngineDefinition, EngineHost, EntryId, PlanRequest } from '@palimpsest/contracts';
import { defineContextEngine, type EngineDescription } from '../define-context-engine.ts';
import { segmentsFrom, type Showing } from '../plans.ts';
import { plainGroups, type PlainGroup } from './plain-messages.ts';

/** Something that can be shown or left out: a message, a tool call with its results, or an earlier summary. */
export interface SelectorItem {
  readonly id: EntryId;
  readonly tokens: number;
  readonly text: string;
  readonly roles: readonly ('user' | 'assistant' | 'tool')[];
}
export interface SelectorAsk {
  /** Oldest first, all before the running turn. */
  readonly items: readonly SelectorItem[];
  /** What the chosen ones may cost, so that the host has no cause to make room: the running turn is taken off already. */
  readonly budgetTokens: number;
  readonly budget: Budget;
  readonly query: string | null;
}
export interface SelectorDescription<Options extends z.ZodType = z.ZodType> extends Omit<EngineDescription<Options>, 'create'> {
  /** The ids of the items to show in this request. Of more than fits the oldest are left out. */
  select(ask: SelectorAsk, host: EngineHost<z.output<Options>>): Iterable<string> | Promise<Iterable<string>>;
}

/** Lifts a per-request choice to the contract. The running turn, from the newest user input on, is always shown; nothing is ever summed up. */
export function fromSelector<Options extends z.ZodType = z.ZodType>({
  select,
  ...description
}: SelectorDescription<Options>): EngineDefinition {
  const create = (host: EngineHost<z.output<Options>>): ContextEngine => ({
    plan: async (request) => {
      const groups = await plainGroups(request.branch, (id) => host.artifacts.get(id));
      const { past, turnTokens } = split(groups, request);
      const budgetTokens = Math.max(0, roomBelowStart(request.budget) - turnTokens);
      const chosen = new Set(
        await select({ items: past.map(itemOf), budgetTokens, budget: request.budget, query: request.query ?? null }, host),
      );
      const shown = fitting(
        past.filter(({ through }) => chosen.has(through)),
        budgetTokens,
      );
      const pieces = groups.map((group, at) => ({
        through: group.through,
        showing: at >= past.length || shown.has(group) ? shownAs(group) : LEFT_OUT,
      }));
      return { segments: segmentsFrom(pieces), estimateTokens: turnTokens + [...shown].reduce((sum, { tokens }) => sum + tokens, 0) };
    },
  });
  return defineContextEngine({ ...description, create });
}

function roomBelowStart({ marks, fixed, available }: Budget): number {
  return Math.min(available, marks.start - fixed.total - 1);
}

const LEFT_OUT: Showing = { show: 'nothing', reason: 'not selected', reach: null };

function split(
  groups: readonly PlainGroup[],
  { newestUserEntry }: PlanRequest,
): { readonly past: readonly PlainGroup[]; readonly turnTokens: number } {
  const at =
    newestUserEntry === null ? -1 : groups.findIndex(({ entries, covered }) => covered === null && entries.includes(newestUserEntry));
  const start = at < 0 ? groups.length - 1 : at;
  return { past: groups.slice(0, start), turnTokens: groups.slice(start).reduce((sum, { tokens }) => sum + tokens, 0) };
}

function itemOf({ through, tokens, messages }: PlainGroup): SelectorItem {
  return { id: through, tokens, text: messages.map(({ content }) => content).join('\n'), roles: messages.map(({ role }) => role) };
}

/** The newest of them that fit together. */
function fitting(groups: readonly PlainGroup[], budgetTokens: number): ReadonlySet<PlainGroup> {
  const shown = new Set<PlainGroup>();
  let left = budgetTokens;
  for (const group of groups.toReversed()) {
    if (group.tokens > left) break;
    left -= group.tokens;
    shown.add(group);
  }
  return shown;
}

function shownAs({ covered }: PlainGroup): Showing {
  return covered ?? { show: 'entries' };
}
