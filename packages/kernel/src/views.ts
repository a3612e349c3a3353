import { ARTIFACTS, BUDGETING, isShownEntry, MODEL, RENDERER, ROUTE_LIMITS, sessionToken } from '@palimpsest/contracts';
import type {
  Artifacts,
  Budget,
  Budgeting,
  ContextPlan,
  Draft,
  Artifact,
  Entry,
  EntryId,
  Judgement,
  Model,
  ModelRequest,
  OpenTurn,
  RenderBlock,
  Renderer,
  RouteLimits,
  Segment,
  Shown,
  SessionId,
  UserInput,
  View,
  ViewBlock,
  Views,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { blocksOf, tokensByKind } from './branch/blocks.ts';
import { changesOn } from './changes.ts';
import { editTokens } from './edit-tokens.ts';
import { artifactIdOf } from './hash.ts';
import type { LeasedJournal } from './journal.ts';
import { breakReasonOf } from './prefix.ts';
import type { RequestEdit } from './request-edit.ts';
import type { Hooked } from './request-hooks.ts';
import { ENVELOPE_TOKENS } from './prompt-keeper.ts';
import { VIEW_PARTS, type ViewParts } from './view-parts.ts';

interface Made {
  readonly plan: ContextPlan;
  readonly blocks: readonly RenderBlock[];
  readonly budget: Budget;
  readonly request: ModelRequest;
}

/** Assembles views: guarded plan → render → hooks → judge. Writes nothing. */
export class RenderedViews implements Views {
  private hookTokens = 0;

  constructor(
    @inject(VIEW_PARTS) private readonly parts: ViewParts,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(BUDGETING) private readonly budgeting: Budgeting,
    @inject(ROUTE_LIMITS) private readonly limits: RouteLimits,
    @inject(MODEL) private readonly model: Model,
    @inject(ARTIFACTS) private readonly artifacts: Artifacts,
  ) {}

  async assemble(turn: OpenTurn, signal: AbortSignal): Promise<View> {
    const { journal, engine, prompts, events, hooks } = this.parts;
    const prompt = await prompts.prompt();
    const budget = this.budget(turn);
    const started = this.parts.clock.elapsed();
    const planned = await engine.plan({ purpose: turn.steps === 0 ? 'turn' : 'tool-loop', budget, signal });
    events.emit('plan.made', {
      session: journal.session,
      turn: turn.id,
      engine: engine.name,
      estimateTokens: planned.estimateTokens,
      ms: this.parts.clock.elapsed() - started,
    });
    const plan = await this.recounted(planned);
    const blocks = blocksOf(journal.shown(), plan);
    const newest = blocks.findLast((block) => block.kind === 'entry' && block.placed.entry.id === journal.newestUserEntry);
    const request = await this.render(blocks, prompt, journal.marks.epoch);
    const hooked = await hooks.run(
      request,
      async () => (newest === undefined ? null : ((await this.render([newest], prompt, null)).messages.at(-1) ?? null)),
      signal,
    );
    for (const { hook, rule, error } of hooked.refused)
      events.emit('hook.refused', { session: journal.session, turn: turn.id, hook, rule, why: error.message });
    const view = await this.judged({ plan, blocks, budget, request }, hooked);
    events.emit('view.assembled', {
      session: journal.session,
      turn: turn.id,
      judgement: view.judgement,
      budget,
      epoch: view.epoch,
      breakReason: view.breakReason,
    });
    return view;
  }

  /** The request of a plan under a prompt, as it is before hooks. */
  private async render(
    blocks: readonly RenderBlock[],
    prompt: { readonly system: string; readonly tools: ModelRequest['tools'] },
    epoch: Entry | null,
  ): Promise<ModelRequest> {
    const settings = this.limits.maxOutputTokens === null ? {} : { maxOutputTokens: this.limits.maxOutputTokens };
    return this.renderer.render({
      route: this.model.route,
      ...prompt,
      settings,
      blocks,
      pause: () => this.parts.clock.pause(),
      artifact: (id) => this.body(id),
      opaqueAfterSeq: epoch?.seq ?? 0,
    });
  }

  /** What fits is the host's figure: a plan's own summaries are counted here, whatever the engine says of them. */
  private async recounted(plan: ContextPlan): Promise<ContextPlan> {
    if (plan.segments.every((segment) => segment.show !== 'summary')) return plan;
    const segments = await Promise.all(
      plan.segments.map(async (segment): Promise<Segment> => {
        if (segment.show !== 'summary') return segment;
        const body = 'inline' in segment.text ? segment.text.inline : await this.body(segment.text.artifact);
        const { text } = this.renderer.countable({ role: 'user', content: [{ type: 'text', text: this.renderer.summaryText(body) }] });
        return { ...segment, tokens: await this.parts.counter.count(text) };
      }),
    );
    return { ...plan, segments };
  }

  private async body(id: Artifact['id']): Promise<string> {
    return (await this.artifacts.get(id))?.body ?? '';
  }

  budget(turn: OpenTurn | null): Budget {
    const { system, tools } = this.parts.prompts.fixed;
    const fixed = {
      system,
      tools,
      hooks: this.hookTokens,
      envelope: ENVELOPE_TOKENS,
      total: system + tools + this.hookTokens + ENVELOPE_TOKENS,
    };
    const { marks: engineMarks = {} } = this.parts.engine.claims;
    return this.budgeting.effective({ limits: this.limits, model: this.model.route, fixed, refused: turn?.refused ?? null, engineMarks });
  }

  /** Hygiene's measure; quiet when it is off, and in the first few messages. */
  gauge(incoming: UserInput | null): Judgement {
    const { journal, counter, limits } = this.parts;
    const budget = this.budget(null);
    const content = incoming?.content ?? '';
    const incomingTokens = counter.estimate(typeof content === 'string' ? content : JSON.stringify(content));
    const judged = this.budgeting.gauge(plannedTokens(journal), incomingTokens, budget);
    const asked = limits.hygiene && isConversation(journal.shown());
    return asked ? judged : { ...judged, mark: 'under' };
  }

  threshold(): Judgement {
    const budget = this.budget(null);
    return this.budgeting.judge({ fixed: budget.fixed.total, branch: plannedTokens(this.parts.journal) }, budget, 'count');
  }

  async changeDrafts(turn: EntryId | null): Promise<{ readonly drafts: readonly Draft[]; readonly artifacts: readonly Artifact[] }> {
    const { journal, prompts, drafts, engine } = this.parts;
    const prompt = await prompts.draftsFor(journal, drafts, turn);
    const changes = changesOn(journal.shown(), journal.marks, { route: this.model.route, engine: engine.chosen });
    return { drafts: [...prompt.drafts, ...changes.map((change) => drafts.plain(change, turn))], artifacts: prompt.artifacts };
  }

  private async judged(made: Made, hooked: Hooked): Promise<View> {
    const { journal, engine } = this.parts;
    const { marks } = journal;
    const patch = hooked.edit === null ? null : patchOf(hooked.edit, journal.session);
    const tokens = await this.measured(made, hooked);
    const breakReason = breakReasonOf(marks, journal.shown(), {
      request: hooked.request,
      blocks: made.blocks,
      hooked: patch !== null,
      declaredLoss: hooked.breaksCache,
    });
    if (patch !== null) await this.artifacts.put([patch]);
    return {
      plan: made.plan,
      request: hooked.request,
      budget: made.budget,
      judgement: this.budgeting.judge(tokens, made.budget, 'count'),
      blocks: made.blocks.map(viewBlock),
      epoch: marks.epoch?.id ?? null,
      breakReason,
      prompt: marks.prompt?.id ?? null,
      patch: patch?.id ?? null,
      replaced: hooked.replaced,
      engine: engine.name,
      chosen: engine.chosen.name,
      substitutions: engine.substitutions,
      declined: hooked.refused.map(({ hook, error }) => ({ what: `hook ${hook}`, why: error.message })),
    };
  }

  /** Parts that add up to the request as it will be sent. What hooks add is planned for next time. */
  private async measured(made: Made, { edit, replaced }: Hooked): Promise<Readonly<Record<string, number>>> {
    const { system, tools, envelope } = made.budget.fixed;
    const parts = { system, tools, envelope, ...tokensByKind(made.blocks) };
    const hooks = edit === null ? 0 : await editTokens(this.parts, edit, made.request);
    // A replaced conversation is no cost of the session's own: nothing is planned for it, and no room is made for it.
    this.hookTokens = replaced ? 0 : Math.max(0, hooks);
    if (edit === null) return parts;
    return replaced || hooks < 0 ? { request: Object.values(parts).reduce((sum, part) => sum + part, hooks) } : { ...parts, hooks };
  }
}

/** Long enough for hygiene to look at: four entries shown. Those at the end answer that, however long it is. */
function isConversation(units: readonly Shown[]): boolean {
  let shown = 0;
  return units.findLastIndex((unit) => isShownEntry(unit) && (shown += 1) === 4) >= 0;
}

/** What the next request is likely to show of the branch: all, or as much as an engine that selects did. The view of the next step is measured itself. */
function plannedTokens({ marks, shownTokens }: Pick<LeasedJournal, 'marks' | 'shownTokens'>): number {
  return marks.selected ?? shownTokens;
}

function patchOf(edit: RequestEdit, session: SessionId): Artifact {
  const body = JSON.stringify(edit);
  return { id: artifactIdOf('request_patch', body), kind: 'request_patch', session, body, source: null, madeBy: 'hook', tokens: 0 };
}

function viewBlock(block: RenderBlock): ViewBlock {
  if (block.kind === 'summary') return { origin: block.through, shape: 'summary', tokens: block.segment.tokens };
  return { origin: block.placed.entry.id, shape: block.placed.shape.kind, tokens: block.placed.shownTokens };
}

export const KERNEL_VIEWS = sessionToken<RenderedViews>('kernel.rendered-views');
