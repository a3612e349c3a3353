import { describe, expect, it } from 'vitest';
import type { EngineDefinition } from '@palimpsest/contracts';
import { checkEngine } from './check-engine.ts';
import { reportText } from './report-text.ts';
import { GROUPS, type ConformanceReport } from './report.ts';
import type { CheckOptions } from './run-check.ts';

/** The kit ends by itself; on a machine that is busy it takes its time. */
const HALF_AN_HOUR_MS = 1_800_000;

/** A test for each group of the kit. The kit runs once, with the first of them. */
export function conformance(definition: EngineDefinition, options: CheckOptions = {}): void {
  let running: Promise<ConformanceReport> | null = null;
  describe(`${definition.manifest.name} conforms`, () => {
    it.each(GROUPS.filter((group) => options.groups?.includes(group) ?? true))(
      '%s',
      async (group) => {
        running ??= checkEngine(definition, options);
        const checks = (await running).checks.filter((check) => check.group === group && check.outcome === 'failed');
        expect(checks, reportText(await running)).toEqual([]);
      },
      HALF_AN_HOUR_MS,
    );
  });
}
