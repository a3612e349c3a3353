/** The kit measures real time: the one place where it asks for it. */

export function elapsedMs(): number {
  return performance.now();
}

export function nowMs(): number {
  return Date.now();
}

export function waited(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Runs after `ms` unless it is stopped before. Returns how to stop it. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
}

const TICK_MS = 25;
/** Of the time in which its thread did not work, this part counts against an engine. */
const IDLE_SHARE = 1 / 20;

/**
 * Runs once `ms` have passed that count: while the machine lets others run, an engine cannot help being late. Returns how to stop it.
 */
export function afterOwn(ms: number, run: () => void): () => void {
  let [own, last] = [0, reading()];
  const timer = setInterval(() => {
    const now = reading();
    [own, last] = [own + ownBetween(last, now, TICK_MS), now];
    if (own < ms) return;
    clearInterval(timer);
    run();
  }, TICK_MS);
  return () => {
    clearInterval(timer);
  };
}

export interface Took {
  /** All the time that counts. */
  readonly ms: number;
  /** Longest time that the event loop did not come round. */
  readonly stallMs: number;
}

/** What of `work` counts. */
export async function measured(work: () => Promise<unknown>): Promise<Took> {
  let [ms, stallMs, last] = [0, 0, reading()];
  const look = (): void => {
    const now = reading();
    const own = ownBetween(last, now, PROBE_MS);
    [ms, stallMs, last] = [ms + own, Math.max(stallMs, own - PROBE_MS), now];
  };
  const timer = setInterval(look, PROBE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return { ms, stallMs };
}

const PROBE_MS = 5;

interface Reading {
  readonly wallMs: number;
  readonly busyMs: number;
}

/** Between two ticks. One that came late was kept by the engine, or by the machine: what tells them apart is whether the thread worked. */
function ownBetween(from: Reading, to: Reading, tickMs: number): number {
  const wallMs = to.wallMs - from.wallMs;
  return Math.min(wallMs, Math.max(2 * tickMs, to.busyMs - from.busyMs, wallMs * IDLE_SHARE));
}

function reading(): Reading {
  const { user, system } = used();
  return { wallMs: performance.now(), busyMs: (user + system) / 1_000 };
}

/** Of this thread where Node tells it, from 23.9 on; else of the whole process. */
const used = (process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process);
