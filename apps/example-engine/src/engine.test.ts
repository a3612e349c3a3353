import { conformance } from '@palimpsest/conformance/vitest';
import { inject } from 'vitest';
import turnDiary from './engine.ts';

/** The whole kit in the long run of this repository, `npm run soak`. */
conformance(turnDiary, inject('soak') ? {} : { groups: ['shape', 'budget', 'structure', 'coverage', 'crash', 'branch'] });
