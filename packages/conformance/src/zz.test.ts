import { it } from 'vitest';
import { hostileEngines } from '@palimpsest/testing';
import { checkEngine } from './index.ts';
process.env['PALIMPSEST_HOME'] = '/tmp/confhome';
it('x', async () => {
  for (const { name, group, rule, definition } of hostileEngines) {
    if (process.env['H'] && process.env['H'] !== name) continue;
    const t = performance.now();
    const groups = ['shape', group] as never[];
    const r = await checkEngine(definition, { groups, patienceMs: 400 });
    const faults = r.checks.flatMap((c) => c.faults.map((f) => `${c.group}/${f.method}/${f.rule}`));
    const ok = r.checks.some((c) => c.group === group && c.faults.some((f) => f.rule.includes(rule)));
    console.log(ok ? 'ok  ' : 'MISS', name, group, rule, '|', faults.join(' '), ((performance.now() - t) / 1000).toFixed(1));
    if (process.env['H']) console.log(JSON.stringify(r.checks, null, 1));
  }
}, 900_000);
