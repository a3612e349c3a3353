import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { holderName, isHolderGone } from './holder.ts';

it('knows a process of this host that is gone, and takes every other for alive', () => {
  const mine = holderName('abc');
  expect(mine).toMatch(new RegExp(`^${hostname()}:${String(process.pid)}:\\d*\\.abc$`, 'u'));
  expect(isHolderGone(mine)).toBe(false);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const dead = mine.replace(`:${String(process.pid)}:`, `:${String(pid)}:`);
  expect(isHolderGone(dead)).toBe(true);
  expect(isHolderGone(dead.replace(hostname(), 'elsewhere'))).toBe(false);
  expect(isHolderGone(dead.replace(/:\d*\./u, ':1.'))).toBe(false);
  for (const other of ['', 'somebody', `${hostname()}:x:.a`, `${hostname()}:1:`, `${hostname()}:${String(pid)}`])
    expect([other, isHolderGone(other)]).toEqual([other, false]);
});
