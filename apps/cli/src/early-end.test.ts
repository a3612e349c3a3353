import { expect, it } from 'vitest';
import { howItBroke, howItEnded } from './early-end.ts';

const stack = (...frames: readonly string[]): string => ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n');
const listener = [
  'Ending.#onExit (file:///app/dist/ending.js:9:9)',
  'process.emit (node:events:509:28)',
  'process.exit (node:internal/process/per_thread:1:1)',
];

it('names the place that ended the process', () => {
  expect(howItEnded(stack(...listener, 'Object.plan (file:///a%20b/index.mjs?content=1:3:45)', 'run (file:///app/x.js:1:1)'), 0)).toBe(
    'process.exit(0) was called in /a b/index.mjs:3',
  );
  expect(howItEnded(stack(...listener, 'node:internal/timers:1:1', 'async /p/index.js:7:1'), 3)).toBe(
    'process.exit(3) was called in /p/index.js:7',
  );
  expect(howItEnded(stack(...listener), 0)).toBe('process.exit(0) was called');
});

it('says that nothing is left to wait for', () => {
  expect(howItEnded(stack(...listener.slice(0, 2), 'process.processTimers (node:internal/timers:1:1)'), 0)).toBe(
    'it waits for an answer that nothing is left to give',
  );
});

it('says what nobody caught, and where it came from', () => {
  const error = new Error('late');
  error.stack = stack('node:internal/timers:1:1', 'Timeout.tick [as _onTimeout] (/p/index.js:2:3)');
  expect(howItBroke(error)).toBe('nobody caught an error of /p/index.js:2: late');
  expect(howItBroke('thrown text')).toBe('nobody caught an error: thrown text');
});
