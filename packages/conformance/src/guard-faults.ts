/** What the host's guard says of an engine, in the kit's words. */
import { messageOf } from '@palimpsest/contracts';
import type { Fault, GroupName } from './report.ts';
import { Late, type EngineCall, type Spy } from './spy.ts';

/** Where a broken rule belongs when nothing special was going on. */
const GROUP_OF_RULE: Readonly<Record<string, GroupName>> = {
  'edge-unknown': 'coverage', 'edge-order': 'coverage', 'not-whole': 'coverage', 'artifact-unknown': 'coverage',
  'pair-cut': 'structure', 'newest-user-entry': 'structure', protected: 'structure',
  'notes-too-large': 'budget', 'tokens-underclaimed': 'budget', 'no-gain': 'budget', 'makes-no-room': 'budget', mutation: 'purity', deadline: 'cancel', 'ignores-abort': 'cancel', 'trust-rises': 'injection',
};

/** Everything else is a matter of shape: it throws, or answers with something that is no answer. */
export function groupOfRule(rule: string): GroupName {
  const group = rule.split(', ').map((one) => GROUP_OF_RULE[one]).find((one) => one !== undefined);
  return group ?? 'shape';
}

export function guardFault(method: string, rule: string, spy: Spy): Fault {
  const call = spy.of(method).at(-1);
  return { method, smallest: null, ...ruleOf(rule, call) };
}

/** A check that ended with an error: no session could be opened on the engine. */
export function factoryFault(error: unknown): Fault {
  return { method: 'factory', rule: error instanceof Late ? 'deadline' : 'throws', problem: messageOf(error), smallest: null };
}

function ruleOf(rule: string, call: EngineCall | undefined): Pick<Fault, 'rule' | 'problem'> {
  if (call?.late === 'abort') return { rule: 'ignores-abort', problem: 'it went on for a second after it was told to stop' };
  if (call?.late === 'deadline' || (rule === 'throws' && call === undefined)) return { rule: 'deadline', problem: 'it did not answer in time' };
  if (call?.thrown === undefined) return { rule, problem: `the host refuses its answer: ${rule}` };
  const problem = call.thrown instanceof Error ? call.thrown.message : String(call.thrown);
  return isMutation(call.thrown) ? { rule: 'mutation', problem: `it changes what it was handed: ${problem}` } : { rule: 'throws', problem };
}

/** V8's words for a write to something frozen. */
function isMutation(thrown: unknown): boolean {
  return thrown instanceof TypeError && /read only property|object is not extensible|Cannot delete property/u.test(thrown.message);
}
