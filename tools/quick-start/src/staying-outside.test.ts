import { expect, it } from 'vitest';
import { staysOutside } from './staying-outside.ts';

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
