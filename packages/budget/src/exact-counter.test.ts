import { Worker } from 'node:worker_threads';
import { isPalimpsestError } from '@palimpsest/contracts';
import type { PalimpsestError } from '@palimpsest/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countExactly, countTokens } from './count-tokens.ts';
import { CountingThread, startCountingWorker } from './counting-thread.ts';
import { ExactCounter } from './exact-counter.ts';
import type { ExactCounterOptions } from './exact-counter.ts';

const prose = 'What was said before is still there; only less of it is shown. ';
const short = prose.repeat(20);
const long = prose.repeat(1000);

const open: ExactCounter[] = [];
const counter = (options: ExactCounterOptions = {}): ExactCounter => {
  const made = new ExactCounter(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()));
});

/** Threads that were started, and how. */
function spied(start: () => Worker): { readonly thread: CountingThread; readonly started: Worker[] } {
  const started: Worker[] = [];
  const thread = new CountingThread(() => {
    const worker = start();
    started.push(worker);
    return worker;
  });
  return { thread, started };
}
const dying = (): Worker => new Worker('require("node:worker_threads").parentPort.once("message", () => process.exit(3))', { eval: true });
const throwing = (): Worker =>
  new Worker('require("node:worker_threads").parentPort.once("message", () => { throw new Error("no memory") })', { eval: true });
const countingTo = (tokens: number): Worker =>
  new Worker(
    `const { parentPort } = require("node:worker_threads");
     let jobs = 0;
     parentPort.on("message", ([{ id }]) => (jobs++ === 0 ? parentPort.postMessage({ id, tokens: ${String(tokens)} }) : process.exit(4)))`,
    { eval: true },
  );
const silent = (): Worker => new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true });

describe('count', () => {
  it('counts short text here, without a thread, where the vocabulary is loaded', async () => {
    const { thread, started } = spied(startCountingWorker);
    const tokens = countExactly(short, 'o200k_base');
    expect(await counter({ thread }).count(short)).toBe(tokens);
    expect(started).toHaveLength(0);
  });

  it('counts it on the thread where it is not: loading it would hold up the caller', async () => {
    vi.resetModules();
    const fresh = await import('./exact-counter.ts');
    const { thread, started } = spied(startCountingWorker);
    const own = new fresh.ExactCounter({ thread });
    expect(await own.count(short)).toBe(countExactly(short, 'o200k_base'));
    expect(started).toHaveLength(1);
    await own.close();
  });

  it('counts long text on one thread, same figure', async () => {
    const { thread, started } = spied(startCountingWorker);
    const own = counter({ thread });
    const figures = await Promise.all([own.count(long), own.count(`${long}!`), own.count(long)]);
    expect(figures).toEqual([long, `${long}!`, long].map((text) => countExactly(text, 'o200k_base')));
    expect(started).toHaveLength(1);
  });

  it('samples very long text as countTokens does, on that thread too', async () => {
    const { thread, started } = spied(startCountingWorker);
    const text = long.repeat(6);
    const own = counter({ thread, encoding: 'cl100k_base' });
    expect(await own.count(text)).toBe(countTokens(text, 'cl100k_base'));
    expect(started).toHaveLength(1);
  });

  it('counts in another encoding when told to', async () => {
    const text = '컨텍스트 '.repeat(300);
    expect(await counter({ encoding: 'cl100k_base' }).count(text)).toBe(countExactly(text, 'cl100k_base'));
    expect(countExactly(text, 'cl100k_base')).not.toBe(countExactly(text, 'o200k_base'));
  });
});

it('counts of one tick cross to the thread in one message, each with an answer of its own', async () => {
  const script = `const { parentPort } = require("node:worker_threads");
     parentPort.on("message", (jobs) => jobs.forEach(({ id }) => parentPort.postMessage({ id, tokens: jobs.length * 10 + id })))`;
  const thread = new CountingThread(() => new Worker(script, { eval: true }));
  const asked = ['a', 'b', 'c'].map((text) => thread.count([text], 'o200k_base'));
  expect(await Promise.all(asked)).toEqual([31, 32, 33]);
  expect(await thread.count(['d'], 'o200k_base')).toBe(14);
  await thread.close();
});

describe('a thread that fails', () => {
  const faulty = (start: () => Worker): { readonly own: ExactCounter; readonly faults: PalimpsestError[]; readonly started: Worker[] } => {
    const faults: PalimpsestError[] = [];
    const { thread, started } = spied(start);
    return { own: counter({ thread, onFault: (error) => faults.push(error) }), faults, started };
  };

  it.each([
    ['dies', dying, /ended with code 3/],
    ['throws', throwing, /no memory/],
    [
      'cannot be started',
      (): Worker => {
        throw new Error('no threads left');
      },
      /no threads left/,
    ],
  ])('%s: is reported, and the figure is the same', async (_, start, message) => {
    const { own, faults } = faulty(start);
    expect(await own.count(long)).toBe(countExactly(long, 'o200k_base'));
    expect(faults.map((fault) => fault.code)).toEqual(['BUDGET_WORKER_FAILED']);
    expect(faults[0]?.message).toMatch(message);
  });

  it('is started once more, and no third time', async () => {
    const { own, faults, started } = faulty(dying);
    for (let at = 0; at < 4; at++) expect(await own.count(long)).toBe(countExactly(long, 'o200k_base'));
    expect(started).toHaveLength(2);
    expect(faults).toHaveLength(2);
  });

  it('is forgiven once it has counted again', async () => {
    let starts = 0;
    const { own, faults } = faulty(() => (++starts === 2 ? countingTo(7) : dying()));
    await own.count(long);
    expect(await own.count(long)).toBe(7);
    expect(await own.count(long)).toBe(countExactly(long, 'o200k_base'));
    expect(await own.count(long)).toBe(countExactly(long, 'o200k_base'));
    expect(starts).toBe(3);
    expect(faults).toHaveLength(3);
  });

  it('lets others run while it is stood in for', async () => {
    // It fails before anything is awaited, so that whoever else runs does so between portions.
    const { own } = faulty(() => {
      throw new Error('no threads left');
    });
    const text = long.repeat(4);
    let ticks = 0;
    let done = false;
    const tick = (): void => {
      ticks++;
      if (!done) setImmediate(tick);
    };
    await own.count(short);
    setImmediate(tick);
    await own.count(text);
    done = true;
    expect(ticks).toBeGreaterThan(text.length / 8192 / 2);
  });
});

describe('close', () => {
  it('refuses what is under way and what comes later', async () => {
    const own = counter({ thread: spied(silent).thread });
    const underWay = own.count(long).catch((error: unknown) => error);
    await own.close();
    expect(isPalimpsestError(await underWay, 'BUDGET_CLOSED')).toBe(true);
    await expect(own.count(short)).rejects.toMatchObject({ code: 'BUDGET_CLOSED' });
    await expect(own.count(long)).rejects.toMatchObject({ code: 'BUDGET_CLOSED' });
    await own.close();
  });

  it('ends the thread', async () => {
    const { thread, started } = spied(startCountingWorker);
    const own = counter({ thread });
    await own.count(long);
    const ended = new Promise((resolve) => started[0]?.once('exit', resolve));
    await own.close();
    await ended;
    expect(started[0]?.threadId).toBe(-1);
  });
});

describe('countNow', () => {
  it('is exact up to 64 KiB and sampled above', () => {
    const own = counter();
    expect(own.countNow(long.slice(0, 65_536))).toBe(countExactly(long.slice(0, 65_536), 'o200k_base'));
    const text = long.repeat(2);
    expect(own.countNow(text)).not.toBe(countExactly(text, 'o200k_base'));
    expect(own.countNow(text) / countExactly(text, 'o200k_base')).toBeCloseTo(1, 1);
  });
});
