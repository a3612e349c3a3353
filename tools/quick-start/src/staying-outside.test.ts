import { expect, it } from 'vitest';
import { staysOutside, staysShared } from './staying-outside.ts';

it.each([
  ['node:fs', 'dist/main.js', true],
  ['better-sqlite3', '../../packages/store/dist/database/connection.js', true],
  ['zod', '../../packages/contracts/dist/parts.js', true],
  ['commander', 'dist/program.js', false],
  ['@palimpsest/runtime/sessions', 'dist/commands/sessions.js', false],
  ['./output/failure.js', 'dist/main.js', false],
  ['../commands/sessions.js', 'dist/tree/sessions.js', false],
  ['../commands/import.js', 'dist/tree/sessions.js', true],
  ['../commands/run.js', 'dist/tree/running.js', true],
])('%s, imported by %s, stays outside: %s', (id, importer, outside) => {
  expect(staysOutside('/repo/apps/cli', id, `/repo/apps/cli/${importer}`)).toBe(outside);
});

it.each([
  ['@palimpsest/contracts', true],
  ['@palimpsest/contracts/plain', true],
  ['@palimpsest/plugin-kit', true],
  ['@palimpsest/wiring', true],
  ['zod', true],
  ['@palimpsest/store', true],
  ['@palimpsest/budget', true],
  ['@palimpsest/engine-lcm', true],
  ['node:fs', true],
  ['@palimpsest/kernel', false],
  ['@palimpsest/config/store', false],
  ['@palimpsest/kernel-other', true],
  ['yaml', false],
  ['./run.js', false],
  ['/repo/apps/cli/dist/commands/run.js', false],
])('%s is shared with engines or starts a thread: %s', (id, shared) => {
  expect(staysShared(id)).toBe(shared);
});
