import type { Budget, BudgetSettings, Limit, RouteLimits } from '@palimpsest/contracts';
import { RatioBudgeting, type BudgetNote } from '@palimpsest/budget';
import type { Config, ModelSettings } from '@palimpsest/config';
import { modelSettings, routeOf } from '@palimpsest/models';
import { limitsOf } from '../session/models.ts';

/** What the figures would be if these were set. Tokens; `threshold` is a share. */
export interface ModelsAsk {
  readonly window?: number;
  readonly reserve?: number;
  readonly threshold?: number;
}
export interface ModelReport {
  /** Name under `models`; null: no model is configured, this is what any would get. */
  readonly name: string | null;
  readonly isChosen: boolean;
  readonly route: string;
  readonly window: Limit;
  readonly reserve: Limit;
  readonly effectiveTokens: number;
  readonly marks: Budget['marks'];
  /** Each figure that is not simply what was set, and why. */
  readonly why: readonly BudgetNote[];
}

/** The configured models, and at which marks room is made for each. Opens and calls nothing. */
export function modelsReport(config: Config, ask: ModelsAsk = {}): readonly ModelReport[] {
  const names = Object.keys(config.models);
  const chosen = config.agent.model ?? (names.length === 1 ? names[0] : undefined);
  const budgeting = new RatioBudgeting(budgetSettings(config.budget, ask));
  const report = (name: string | null, route: string, limits: RouteLimits): ModelReport => {
    const fixed = { system: 0, tools: 0, hooks: 0, envelope: 0, total: 0 };
    const { window, reserve, effective, marks } = budgeting.effective({ limits, model: route, fixed, refused: null });
    const why = budgeting.explain({ limits, model: route, fixed, refused: null });
    return { name, isChosen: name !== null && name === chosen, route, window, reserve, effectiveTokens: effective, marks, why };
  };
  if (names.length === 0) return [report(null, 'openai-chat:any/any', limits(undefined, ask))];
  return Object.entries(config.models).map(([name, settings]) => report(name, routeFor(settings), limits(settings, ask)));
}

function limits(settings: ModelSettings | undefined, { window, reserve }: ModelsAsk): RouteLimits {
  return limitsOf(window ?? settings?.windowTokens ?? null, reserve ?? settings?.maxOutputTokens ?? null);
}

function budgetSettings(settings: BudgetSettings, { threshold }: ModelsAsk): BudgetSettings {
  return threshold === undefined ? settings : { ...settings, threshold, modelThresholds: {} };
}

/** Providers were checked with the configuration. */
function routeFor({ provider, model }: ModelSettings): string {
  return routeOf({ provider: modelSettings.shape.provider.parse(provider), model: model ?? 'scripted' });
}
