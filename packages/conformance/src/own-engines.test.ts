import { compressor } from '@palimpsest/engine-compressor';
import { lcm } from '@palimpsest/engine-lcm';
import { conformance } from './vitest.ts';

conformance(compressor);
conformance(lcm);
