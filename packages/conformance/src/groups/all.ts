import type { Check, DefinitionCheck } from '../check.ts';
import { branch } from './branch.ts';
import { budget } from './budget.ts';
import { cache } from './cache.ts';
import { cancel } from './cancel.ts';
import { coverage } from './coverage.ts';
import { crash } from './crash.ts';
import { definitionChecks } from './definition.ts';
import { idempotence } from './idempotence.ts';
import { injection } from './injection.ts';
import { isolation } from './isolation.ts';
import { language } from './language.ts';
import { load } from './load.ts';
import { modelFaults } from './model-faults.ts';
import { purity } from './purity.ts';
import { shape } from './shape.ts';
import { structure } from './structure.ts';
import { unknownFields } from './unknown-fields.ts';

export const ALL_CHECKS: readonly (Check | DefinitionCheck)[] = [
  ...definitionChecks,
  ...shape,
  ...purity,
  ...budget,
  ...structure,
  ...coverage,
  ...idempotence,
  ...crash,
  ...cancel,
  ...modelFaults,
  ...cache,
  ...branch,
  ...isolation,
  ...language,
  ...injection,
  ...load,
  ...unknownFields,
];
