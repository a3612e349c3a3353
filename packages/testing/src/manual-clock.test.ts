import { expect, it } from 'vitest';
import { ManualClock } from './manual-clock.ts';

it('wakes sleepers in the order in which they fall due', async () => {
  const clock = new ManualClock(1000);
  const woken: string[] = [];
  void clock.sleep(20).then(() => woken.push(`b@${String(clock.now())}`));
  void clock
    .sleep(10)
    .then(() => clock.sleep(5))
    .then(() => woken.push(`a@${String(clock.now())}`));
  await clock.advance(14);
  expect(woken).toEqual([]);
  await clock.advance(6);
  expect(woken).toEqual(['a@1015', 'b@1020']);
  expect([clock.now(), clock.elapsed(), clock.waiting]).toEqual([1020, 20, 0]);
});

it('repeats until stopped', async () => {
  const clock = new ManualClock();
  let calls = 0;
  const stop = clock.every(10, () => {
    calls += 1;
  });
  await clock.advance(35);
  expect(calls).toBe(3);
  stop();
  await clock.advance(100);
  expect([calls, clock.waiting]).toEqual([3, 0]);
});

it('gives up a sleep with its signal', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const slept = clock.sleep(10, abort.signal);
  abort.abort(new Error('enough'));
  await expect(slept).rejects.toThrow('enough');
  await expect(clock.sleep(10, abort.signal)).rejects.toThrow('enough');
  expect(clock.waiting).toBe(0);
});

it('moves the wall clock without the monotonic one', () => {
  const clock = new ManualClock(5000);
  clock.set(1000);
  expect([clock.now(), clock.elapsed()]).toEqual([1000, 0]);
});
