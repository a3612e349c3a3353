import type { Finding } from '../finding.ts';
import { shipped } from '../workspace.ts';
import type { Unit, Workspace } from '../workspace.ts';

/** Every package says what it is: a layer, one line of description, a README, and one entry that also serves the source. */
export function manifests({ units, files }: Workspace): readonly Finding[] {
  const lead = units.find(({ layer }) => layer === 'contracts') ?? units[0];
  return units.flatMap((unit) => {
    const file = `${unit.folder}/package.json`;
    const problems = [...problemsOf(unit), ...releaseProblems(unit, lead ?? unit)].map((message) => ({
      rule: 'manifest',
      file,
      line: 0,
      message,
    }));
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

/** All packages are released together, and one that is installed says on which Node it runs. */
function releaseProblems({ manifest }: Unit, lead: Unit): readonly string[] {
  const isPublic = manifest.private !== true;
  return [
    ...(manifest.version === lead.manifest.version
      ? []
      : [`version ${String(manifest.version)}, but ${lead.name} has ${String(lead.manifest.version)}`]),
    ...(isPublic && manifest.engines?.node !== lead.manifest.engines?.node ? [`engines.node is not that of ${lead.name}`] : []),
    ...(isPublic && manifest.license !== 'MIT' ? ['its licence is not that of the repository'] : []),
    ...(isPublic && manifest.publishConfig?.access !== 'public' ? ['publishConfig.access is not public'] : []),
  ];
}

function servesSource(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && ['@palimpsest/source', 'types', 'default'].every((key) => key in entry);
}
