import type { Budget, EntryId, Judgement, Limit, RouteLimits, SessionRecord, StepBody, Entry, ToolSchema } from '@palimpsest/contracts';
import { openTurn } from '@palimpsest/kernel';
import { ReplayModel } from '@palimpsest/models';
import type { HostRuntime } from '../runtime.ts';
import { limitsOf, type ChosenModel } from '../session/models.ts';
import { recordOf } from '../sessions/access.ts';

export interface ContextAsk {
  readonly session: string;
  /** Tokens; default: the window the session was last sent to, else that of the configured model. */
  readonly window?: number;
  /** Default: the engine that made the session's newest step, else the configured one. */
  readonly engine?: string;
}
/** One kind of thing in the request. The names are those of the judgement: system, tools, envelope, user, assistant, tool, summary, note, hooks. */
export interface ContextPart {
  readonly what: string;
  readonly tokens: number;
}
/** What the next request would hold. Tokens, free, reserve and unusable add up to the window, unless the request is too large. */
export interface ContextReport {
  readonly session: string;
  readonly route: string;
  readonly engine: string;
  readonly window: Limit;
  readonly tokens: number;
  readonly mark: Judgement['mark'];
  readonly parts: readonly ContextPart[];
  readonly freeTokens: number;
  readonly reserveTokens: number;
  /** Of the window, but above what a cap on input allows. */
  readonly unusableTokens: number;
  readonly effectiveTokens: number;
  readonly marks: Budget['marks'];
}

/** Plans, renders and judges the session as its next request would be, and sends nothing. @throws LOG_SESSION_UNKNOWN, MODEL_UNKNOWN. */
export async function contextOf(runtime: HostRuntime, ask: ContextAsk): Promise<ContextReport> {
  const record = await recordOf(runtime, ask.session);
  const step = await newest(runtime, record, 'step');
  const prompt = await recordedPrompt(runtime, record);
  const chosen = await chosenFor(runtime, step, ask.window);
  const engine = ask.engine ?? step?.engine.split('@')[0];
  const { session, kit } = await runtime.open({
    id: record.id,
    name: record.name,
    chosen,
    ...prompt,
    ...(engine === undefined ? {} : { engine }),
  });
  try {
    const view = await kit.views.assemble(openTurn('' as EntryId, { content: '' }), new AbortController().signal);
    return reportOf(record.id, chosen.model.route, kit.engine.name, view);
  } finally {
    await session.close();
  }
}

function reportOf(
  session: string,
  route: string,
  engine: string,
  { judgement, budget }: { readonly judgement: Judgement; readonly budget: Budget },
): ContextReport {
  return {
    session,
    route,
    engine,
    window: budget.window,
    tokens: judgement.tokens,
    mark: judgement.mark,
    parts: Object.entries(judgement.parts).map(([what, tokens]) => ({ what, tokens })),
    freeTokens: Math.max(0, budget.effective - judgement.tokens),
    reserveTokens: budget.reserve.tokens,
    unusableTokens: Math.max(0, budget.window.tokens - budget.reserve.tokens - budget.effective),
    effectiveTokens: budget.effective,
    marks: budget.marks,
  };
}

/** Where the next request would go. A replay has no model of its own any more, and a configuration may have none: then the newest step says it. */
async function chosenFor(runtime: HostRuntime, step: StepBody | null, window: number | undefined): Promise<ChosenModel> {
  const isRecorded = step !== null && (Object.keys(runtime.config.models).length === 0 || step.route.includes(':replay/'));
  const chosen = isRecorded ? { model: new ReplayModel(step.route), limits: limitsOfStep(step) } : await runtime.chosenModel();
  return window === undefined ? chosen : { ...chosen, limits: limitsOf(window, chosen.limits.maxOutputTokens) };
}

function limitsOfStep({ budget, settings }: StepBody): RouteLimits {
  const sent = (settings as { readonly maxOutputTokens?: number }).maxOutputTokens ?? null;
  return { window: budget.window, maxOutputTokens: sent, inputCap: budget.inputCap };
}

/** System text and tools as the path's newest prompt has them; nothing where it has none. */
async function recordedPrompt(
  runtime: HostRuntime,
  record: SessionRecord,
): Promise<{ readonly system?: string; readonly recordedTools: readonly ToolSchema[] }> {
  const prompt = await newest(runtime, record, 'prompt');
  if (prompt === null) return { recordedTools: [] };
  const text = async (id: typeof prompt.system): Promise<string> => (await runtime.store.artifacts.get(id))?.body ?? '';
  const [system, tools] = await Promise.all([text(prompt.system), text(prompt.tools)]);
  return { system, recordedTools: tools === '' ? [] : (JSON.parse(tools) as ToolSchema[]) };
}

async function newest<K extends 'step' | 'prompt'>(
  runtime: HostRuntime,
  { id, leaf }: SessionRecord,
  kind: K,
): Promise<(Entry & { readonly kind: K }) | null> {
  const [found] = leaf === null ? [] : await runtime.store.log.branch(id, leaf, { limit: 1, kinds: [kind] });
  return found?.kind === kind ? (found as Entry & { readonly kind: K }) : null;
}
