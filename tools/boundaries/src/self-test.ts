import { check } from './check.ts';
import { shown } from './finding.ts';
import type { Finding } from './finding.ts';
import { INNOCENT, PLANTS } from './plants.ts';
import type { Plant } from './plants.ts';
import { workspaceOf } from './workspace.ts';

type Files = ReadonlyMap<string, string>;

/**
 * Plants each fault into the workspace, in memory, and tells which of them no rule found. The plants stand among the real
 * manifests with no other source, so that a run is quick; one of them is planted among all real files as well.
 */
export function escaped(files: Files): readonly string[] {
  const bare = skeleton(files);
  const known = new Set(check(workspaceOf(bare)).map(shown));
  const missed = PLANTS.filter((plant) => !isFound(plant, added(bare, plant, known))).map(
    ({ rule, file, text }) => `${rule} escaped in ${file}: ${typeof text === 'string' ? text.slice(0, 80).trim() : 'changed manifest'}`,
  );
  const accused = INNOCENT.flatMap((plant) =>
    added(bare, plant, known)
      .filter(({ rule }) => rule !== 'unused-dependency')
      .map((finding) => `accused without cause: ${shown(finding)}`),
  );
  const [first] = PLANTS;
  const among =
    first === undefined || isFound(first, check(workspaceOf(withPlant(files, first)))) ? [] : ['the first plant escaped among all files'];
  return [...missed, ...accused, ...among];
}

/** The workspace without its sources. */
function skeleton(files: Files): Files {
  const kept = new Map([...files].filter(([path]) => !path.endsWith('.ts')));
  for (const path of files.keys()) if (path.endsWith('/package.json')) kept.set(path.replace(/package\.json$/, 'src/module.ts'), '');
  for (const path of [...kept.keys()].filter((each) => each.endsWith('README.md'))) kept.set(path, '# Planted');
  return kept.set('packages/budget/README.md', '# Planted');
}

function withPlant(files: Files, { file, text }: Pick<Plant, 'file' | 'text'>): Files {
  return new Map(files).set(file, typeof text === 'string' ? text : text(files.get(file) ?? '{}'));
}

function added(files: Files, plant: Pick<Plant, 'file' | 'text'>, known: ReadonlySet<string>): readonly Finding[] {
  return check(workspaceOf(withPlant(files, plant))).filter((finding) => !known.has(shown(finding)));
}

function isFound(plant: Plant, findings: readonly Finding[]): boolean {
  const file = plant.rule === 'references' ? plant.file.replace('package.json', 'tsconfig.json') : plant.file;
  return findings.some((finding) => finding.rule === plant.rule && finding.file === file);
}
