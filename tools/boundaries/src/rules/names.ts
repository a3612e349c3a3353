import type { Finding } from '../finding.ts';
import { EMPTY_NAMES } from '../policy.ts';
import type { Workspace } from '../workspace.ts';

const rule = 'name';
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A path says what is inside: kebab-case, and no word that fits everything. */
export function names(workspace: Workspace): readonly Finding[] {
  return workspace.units.flatMap((unit) =>
    unit.sources.flatMap(({ path }) => {
      const stems = path.split('/').map((step) => step.split('.')[0] ?? '');
      const empty = stems.find((stem) => stem.split('-').some((word) => EMPTY_NAMES.includes(word)));
      const odd = stems.find((stem) => !KEBAB.test(stem));
      return [
        ...(empty === undefined ? [] : [{ rule, file: path, line: 0, message: `"${empty}" says nothing about what is inside` }]),
        ...(odd === undefined ? [] : [{ rule, file: path, line: 0, message: `"${odd}" is not kebab-case` }]),
      ];
    }),
  );
}
