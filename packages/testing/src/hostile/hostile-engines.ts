import type { HostileEngine } from './making.ts';
import { oddCompactions } from './odd-compactions.ts';
import { oddDefinitions } from './odd-definitions.ts';
import { oddPlans } from './odd-plans.ts';
import { oddTurns } from './odd-turns.ts';

/** Each breaks one rule; between them, every rule that the conformance kit knows. */
export const hostileEngines: readonly HostileEngine[] = [...oddDefinitions, ...oddPlans, ...oddCompactions, ...oddTurns];
