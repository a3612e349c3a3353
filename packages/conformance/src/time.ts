/** The kit measures real time: the one place where it asks for it. */

export function elapsedMs(): number {
  return performance.now();
}

export function waited(ms: number): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/** Runs after `ms` unless it is stopped before. Returns how to stop it. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => { clearTimeout(timer); };
}

/** Longest time that the event loop did not come round while `work` ran. Milliseconds. */
export async function longestStall(work: () => Promise<void>): Promise<number> {
  let [longest, last] = [0, elapsedMs()];
  const look = (): void => {
    const now = elapsedMs();
    [longest, last] = [Math.max(longest, now - last - PROBE_MS), now];
  };
  const timer = setInterval(look, PROBE_MS);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

const PROBE_MS = 5;
