import { inOrder } from './finding.ts';
import type { Finding } from './finding.ts';
import { cycles } from './rules/cycles.ts';
import { declared } from './rules/declared.ts';
import { deepImports } from './rules/deep-imports.ts';
import { dependencyTable } from './rules/dependency-table.ts';
import { exportRules } from './rules/exports.ts';
import { language } from './rules/language.ts';
import { manifests } from './rules/manifests.ts';
import { names } from './rules/names.ts';
import { references } from './rules/references.ts';
import { sizes } from './rules/sizes.ts';
import { soleImporters } from './rules/sole-importers.ts';
import type { Workspace } from './workspace.ts';

const RULES = [dependencyTable, soleImporters, declared, references, deepImports, cycles, exportRules, manifests, names, sizes, language];

/** Everything that is wrong in a workspace. */
export const check = (workspace: Workspace): readonly Finding[] => inOrder(RULES.flatMap((rule) => rule(workspace)));
