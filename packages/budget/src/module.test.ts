import { BUDGET_SETTINGS, BUDGETING, TOKEN_COUNTER } from '@palimpsest/contracts';
import { bind, defineModule, openHost } from '@palimpsest/wiring';
import { describe, expect, it } from 'vitest';
import { countTokens } from './count-tokens.ts';
import { budgetModule } from './module.ts';

const settings = bind(BUDGET_SETTINGS).toValue({
  threshold: 0.5,
  modelThresholds: {},
  smallContextFloor: true,
  thresholdTokens: 300_000,
  marks: {},
});

describe('budgetModule', () => {
  it('serves a counter of the store encoding and budgets made from the settings, and closes the counter', async () => {
    const host = openHost([budgetModule, defineModule('settings', [settings])]);
    const counter = host.get(TOKEN_COUNTER);
    const limits = { window: { tokens: 1_000_000, origin: 'catalog' as const }, maxOutputTokens: null, inputCap: null };
    const fixed = { system: 0, tools: 0, hooks: 0, envelope: 0, total: 0 };
    expect(host.get(BUDGETING).effective({ limits, model: 'acme/large', fixed, refused: null }).marks.start).toBe(300_000);
    expect(counter.countNow('컨텍스트')).toBe(countTokens('컨텍스트', 'o200k_base'));
    await host.close();
    await expect(counter.count('x')).rejects.toMatchObject({ code: 'BUDGET_CLOSED' });
  });
});
