import { appends, assembling, databaseSize, kernelOverhead, stepWork } from './figures.ts';
import type { Figure } from './measure.ts';

const all = { assembling, appends, databaseSize, stepWork, kernelOverhead };
const only = process.argv.slice(2);
let missed = 0;

for (const [name, figure] of Object.entries(all)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const one of await figure()) print(one);
}
process.stdout.write(missed === 0 ? 'all bounds held\n' : `${String(missed)} bound(s) missed\n`);
process.exitCode = missed === 0 ? 0 : 1;

function print({ name, value, bound, unit, note }: Figure): void {
  const held = value <= bound;
  if (!held) missed += 1;
  const limit = Number.isFinite(bound) ? `≤ ${String(bound)} ${unit}` : 'no bound';
  process.stdout.write(`${held ? 'ok  ' : 'MISS'} ${name}: ${value.toFixed(2)} ${unit} (${limit})${note === '' ? '' : `; ${note}`}\n`);
}
