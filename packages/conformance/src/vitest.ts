import { describe, expect, it } from 'vitest';
import type { EngineDefinition } from '@palimpsest/contracts';
import { checkEngine, type CheckOptions } from './check-engine.ts';
import { reportText } from './report-text.ts';
import { GROUPS, type ConformanceReport } from './report.ts';

/** A test for each group of the kit. The kit runs once, with the first of them. */
export function conformance(definition: EngineDefinition, options: CheckOptions = {}): void {
  let running: Promise<ConformanceReport> | null = null;
  describe(`${definition.manifest.name} conforms`, () => {
    it.each(GROUPS.filter((group) => options.groups?.includes(group) ?? true))('%s', async (group) => {
      running ??= checkEngine(definition, options);
      const checks = (await running).checks.filter((check) => check.group === group && check.outcome === 'failed');
      expect(checks, reportText(await running)).toEqual([]);
    }, 180_000);
  });
}
