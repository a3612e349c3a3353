/** What the host's guard says of an engine, in the kit's words. */
import { isPalimpsestError, messageOf } from '@palimpsest/contracts';
import { Late } from './patience.ts';
import type { Fault, GroupName } from './report.ts';
import type { EngineCall, Spy } from './spy.ts';

/** Where a broken rule belongs when nothing special was going on. */
const GROUP_OF_RULE: Readonly<Record<string, GroupName>> = {
  'edge-unknown': 'coverage',
  'edge-order': 'coverage',
  'not-whole': 'coverage',
  'artifact-unknown': 'coverage',
  'artifact-forged': 'coverage',
  'reduction-unknown': 'coverage',
  'left-out-wrong': 'coverage',
  'pair-cut': 'structure',
  'newest-user-entry': 'structure',
  protected: 'structure',
  'artifact-foreign': 'isolation',
  mutation: 'purity',
  deadline: 'cancel',
  'ignores-abort': 'cancel',
  'notes-too-large': 'budget',
  'tokens-underclaimed': 'budget',
  'tokens-overclaimed': 'budget',
  'no-gain': 'budget',
  'makes-no-room': 'budget',
  'floor-wrong': 'budget',
  'reduction-grows': 'budget',
  'artifact-too-large': 'budget',
  'trust-rises': 'injection',
  'authority-claimed': 'injection',
  'quality-overclaimed': 'model-faults',
};

/** Everything else is a matter of the group that found it; of shape, when nothing is said: it throws, or answers with something that is no answer. */
export function groupOfRule(rule: string, otherwise: GroupName = 'shape'): GroupName {
  return (
    rule
      .split(', ')
      .map((one) => GROUP_OF_RULE[one])
      .find((one) => one !== undefined) ?? otherwise
  );
}

export function guardFault(method: string, rule: string, spy: Spy): Fault {
  const call = spy.of(method).at(-1);
  return { method, smallest: null, ...ruleOf(rule, call) };
}

/** A check that ended with an error: no session could be opened on the engine. */
export function factoryFault(error: unknown): Fault {
  if (isPalimpsestError(error, 'PLUGIN_MANIFEST_INVALID'))
    return { method: 'manifest', rule: 'manifest-invalid', problem: error.message, smallest: null };
  if (
    isPalimpsestError(error, 'CONFIG_INVALID') ||
    (isPalimpsestError(error, 'ENGINE_FAILED') && error.details['method'] === 'parseOptions')
  )
    return { method: 'parseOptions', rule: 'options-required', problem: error.message, smallest: null };
  return {
    method: 'factory',
    rule: error instanceof Late ? 'deadline' : error instanceof NoEngine ? 'engine-invalid' : isMutation(error) ? 'mutation' : 'throws',
    problem: messageOf(error),
    smallest: null,
  };
}

/** What a check ended with although the engine was made: whatever was asked last threw past everybody. */
export function escaped(error: unknown, { calls, engines }: Spy): Fault {
  const known = factoryFault(error);
  return known.rule === 'throws' && engines.length > 0 ? { ...known, method: calls.at(-1)?.method ?? known.method } : known;
}

/** The host takes what the factory makes for no engine. */
export class NoEngine extends Error {}

function ruleOf(rule: string, call: EngineCall | undefined): Pick<Fault, 'rule' | 'problem'> {
  if (call?.late === 'abort') return { rule: 'ignores-abort', problem: 'it went on for a second after it was told to stop' };
  if (call?.late === 'deadline') return { rule: 'deadline', problem: 'it did not answer in time' };
  if (call === undefined || !('thrown' in call)) return { rule, problem: `the host refuses its answer: ${rule}` };
  const problem = messageOf(call.thrown);
  return isMutation(call.thrown) ? { rule: 'mutation', problem: `it changes what it was handed: ${problem}` } : { rule: 'throws', problem };
}

/** V8's words for a write to something frozen. */
function isMutation(thrown: unknown): boolean {
  return thrown instanceof TypeError && /read only property|object is not extensible|Cannot delete property/u.test(thrown.message);
}
