import type { Finding } from '../finding.ts';
import { shipped } from '../workspace.ts';
import type { Unit, Workspace } from '../workspace.ts';

/** Every package says what it is: a layer, one line of description, a README, and one entry that also serves the source. */
export function manifests({ units, files }: Workspace): readonly Finding[] {
  return units.flatMap((unit) => {
    const file = `${unit.folder}/package.json`;
    const problems = problemsOf(unit).map((message) => ({ rule: 'manifest', file, line: 0, message }));
    const readme = `${unit.folder}/README.md`;
    const words = (files.get(readme) ?? '').trim();
    return words === '' ? [...problems, { rule: 'readme', file: readme, line: 0, message: 'missing or empty' }] : problems;
  });
}

function problemsOf(unit: Unit): readonly string[] {
  const { manifest, folder } = unit;
  const published = folder.startsWith('packages/');
  return [
    ...(unit.layer === null ? ['no known tag layer:… in nx.tags'] : []),
    ...((manifest.description ?? '') === '' ? ['no description'] : []),
    ...(manifest.license === undefined ? ['no license'] : []),
    ...(published && !servesSource(manifest.exports?.['.']) ? ['exports["."] lacks @palimpsest/source, types or default'] : []),
    ...(published && shipped(unit).length > 0 && unit.references === null ? ['no tsconfig.json'] : []),
  ];
}

function servesSource(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && ['@palimpsest/source', 'types', 'default'].every((key) => key in entry);
}
