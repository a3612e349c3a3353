/** Engines that are defined, or made, wrongly. */
import { errors, type ContextEngine } from '@palimpsest/contracts';
import { everything, honest } from './honest.ts';
import { hostile, type HostileEngine } from './making.ts';

export const oddDefinitions: readonly HostileEngine[] = [
  hostile('speaks-another-contract', 'shape', 'manifest-invalid', honest, { manifest: { contract: '^9.0' } }),
  hostile('needs-what-nobody-has', 'shape', 'manifest-invalid', honest, { manifest: { needs: ['telepathy'] } }),
  hostile('wants-options', 'shape', 'options-required', honest, {
    parseOptions: () => {
      throw errors.configInvalid(null, '', 'say something');
    },
  }),
  hostile('thaws-options', 'shape', 'options-not-frozen', honest, { parseOptions: () => Object.freeze({ marks: [] }) }),
  hostile('throws-at-options', 'shape', 'options-error', honest, {
    parseOptions: (raw) => {
      if (raw !== null && typeof raw !== 'object') throw new TypeError('no');
      return Object.freeze({});
    },
  }),
  hostile('is-no-engine', 'shape', 'engine-invalid', () => ({}) as ContextEngine),
  hostile(
    'shares-itself',
    'shape',
    'shared-object',
    (
      (one: ContextEngine) => () =>
        one
    )({ plan: everything }),
  ),
];
