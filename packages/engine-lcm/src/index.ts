export { lcm } from './lcm.ts';
export { lcmOptions } from './options.ts';
export type { LcmOptions } from './options.ts';
