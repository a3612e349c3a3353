import { compressor } from '@palimpsest/engine-compressor';
import { lcm } from '@palimpsest/engine-lcm';
import { conformance } from './vitest.ts';

// Stalls are for benches to measure: a test machine may be busy.
const stallLimitMs = Number.POSITIVE_INFINITY;
const patienceMs = 20_000;

conformance(compressor, { stallLimitMs, patienceMs });
conformance(lcm, { stallLimitMs, patienceMs });
