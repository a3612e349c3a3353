import { parseArgs } from 'node:util';
import { check } from './check.ts';
import { shown } from './finding.ts';
import { SIZES } from './policy.ts';
import { readFiles } from './read-files.ts';
import { remarkable } from './rules/sizes.ts';
import type { Size } from './rules/sizes.ts';
import { escaped } from './self-test.ts';
import { workspaceOf } from './workspace.ts';

function main(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { root: { type: 'string', default: '.' }, 'self-test': { type: 'boolean' }, sizes: { type: 'boolean' } },
  });
  return values['self-test'] === true ? selfTest(values.root) : boundaries(values.root, values.sizes === true);
}

function boundaries(root: string, withSizes: boolean): number {
  const workspace = workspaceOf(readFiles(root));
  const findings = check(workspace);
  for (const finding of findings) console.log(shown(finding));
  const large = remarkable(workspace);
  if (withSizes) for (const size of large) console.log(remark(size));
  const files = workspace.units.reduce((sum, { sources }) => sum + sources.length, 0);
  console.log(
    `boundaries: ${String(workspace.units.length)} packages, ${String(files)} files, ${String(findings.length)} broken rules; ${String(large.length)} above the usual size${withSizes ? '' : ' (--sizes lists them)'}`,
  );
  return findings.length === 0 ? 0 : 1;
}

const remark = ({ measure, file, line, name, size }: Size): string =>
  `${file}${line === 0 ? '' : `:${String(line)}`}  remark  ${measure} ${name}: ${String(size)}, usually ${String(SIZES[measure].usual)}`;

function selfTest(root: string): number {
  const missed = escaped(readFiles(root));
  for (const line of missed) console.error(`self-test: ${line}`);
  console.log(
    missed.length === 0 ? 'self-test: every planted fault was found' : `self-test: ${String(missed.length)} planted faults escaped`,
  );
  return missed.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
