import { compressor } from '@palimpsest/engine-compressor';
import { lcm } from '@palimpsest/engine-lcm';
import { inject } from 'vitest';
import { GROUPS } from './index.ts';
import { conformance } from './vitest.ts';

/** A huge branch takes longer than all the rest: `npm run soak`. */
const options = inject('soak') ? {} : { groups: GROUPS.filter((group) => group !== 'load') };

conformance(compressor, options);
conformance(lcm, options);
