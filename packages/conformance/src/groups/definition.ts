/** Group shape: what is known of an engine before it runs. */
import { engineManifest, isPalimpsestError, type Json, messageOf } from '@palimpsest/contracts';
import { fault, type DefinitionCheck, type Found } from '../check.ts';
import type { Fault } from '../report.ts';

export const definitionChecks: readonly DefinitionCheck[] = [
  {
    // What the host asks of a manifest besides is seen when a lab is opened.
    group: 'shape',
    name: 'the manifest says what is true',
    inspect: ({ manifest }) =>
      (engineManifest.safeParse(manifest).error?.issues ?? []).map(({ path, message }) =>
        fault('manifest', 'manifest-invalid', `${path.join('.')}: ${message}`),
      ),
  },
  {
    group: 'shape',
    name: 'options left out are the defaults, frozen',
    inspect: ({ parseOptions }) => (parseOptions === undefined ? 'skipped' : defaults(parseOptions)),
  },
  {
    group: 'shape',
    name: 'options that are wrong are refused by name',
    inspect: ({ parseOptions }) => (parseOptions === undefined ? 'skipped' : WRONG.flatMap((raw) => refused(parseOptions, raw))),
  },
];

type Parse = (raw: Json) => unknown;
const WRONG: readonly Json[] = [42, 'all', [], { no_engine_has_this: 1 }];

function defaults(parse: Parse): Found {
  try {
    return isFrozen(parse(null)) ? [] : [fault('parseOptions', 'options-not-frozen', 'the parsed options can be changed')];
  } catch (error) {
    return [fault('parseOptions', 'options-required', `an operator who writes nothing gets an error: ${messageOf(error)}`)];
  }
}

function isFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
}

/** Whether something is wrong is the engine's to say; how it is said is not. */
function refused(parse: Parse, raw: Json): readonly Fault[] {
  try {
    parse(raw);
    return [];
  } catch (error) {
    return isPalimpsestError(error, 'CONFIG_INVALID')
      ? []
      : [
          fault(
            'parseOptions',
            'options-error',
            `options ${JSON.stringify(raw)} are refused without CONFIG_INVALID, so nobody learns where they are written: ${messageOf(error)}`,
          ),
        ];
  }
}
