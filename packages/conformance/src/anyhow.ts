/** Properties over conversations: a failure is shrunk to the smallest conversation that shows it. */
import fc from 'fast-check';
import type { CheckContext } from './check.ts';
import { anyConversation, lineOf, type Step } from './conversations.ts';
import { factoryFault } from './guard-faults.ts';
import type { Lab } from './lab.ts';
import type { LabSession } from './lab-session.ts';
import type { Fault } from './report.ts';

const RUNS = 15;

/** Runs `trial` on sessions grown with generated conversations; answers the faults of the smallest that has any. */
export async function anyhow(
  { lab, seed }: CheckContext,
  trial: (session: LabSession) => Promise<readonly Fault[]>,
  conversations: fc.Arbitrary<readonly Step[]> = anyConversation,
): Promise<readonly Fault[]> {
  let smallest: readonly Fault[] = [];
  await fc.check(
    fc.asyncProperty(conversations, async (steps) => {
      const all = await tried(lab, steps, trial).catch((error: unknown) => [factoryFault(error)]);
      if (all.length > 0) smallest = all.map((one) => ({ ...one, smallest: steps.map(lineOf) }));
      return all.length === 0;
    }),
    { seed, numRuns: RUNS, interruptAfterTimeLimit: 8_000 },
  );
  return smallest;
}

async function tried(
  lab: Lab,
  steps: readonly Step[],
  trial: (session: LabSession) => Promise<readonly Fault[]>,
): Promise<readonly Fault[]> {
  const session = await lab.session();
  const faults = await trial(await session.grow(steps));
  await session.close();
  return [...faults, ...session.faults.splice(0)];
}
