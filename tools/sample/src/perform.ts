import { Recorder } from './record.ts';
import type { Seen, Turn } from './scene.ts';
import type { Result, Workbench } from './workbench.ts';

/** Plays the turns: every call runs on the bench, what it printed is what is recorded. */
export function perform(turns: readonly Turn[], bench: Workbench): string {
  const recorder = new Recorder(bench.committedMs());
  for (const turn of turns) {
    recorder.user(turn);
    const seen: Result[] = [];
    for (const step of turn.steps) seen.push(...played(typeof step === 'function' ? step(seen) : step, recorder, bench));
  }
  return recorder.text();
}

function played(step: Exclude<Turn['steps'][number], (seen: Seen) => unknown>, recorder: Recorder, bench: Workbench): readonly Result[] {
  const ids = recorder.assistant(step);
  return (step.calls ?? []).map((call, index) => {
    const result = bench.run(call);
    recorder.result(ids[index] ?? '', call, result);
    return result;
  });
}
