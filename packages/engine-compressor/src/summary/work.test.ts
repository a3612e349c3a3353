import { describe, expect, it } from 'vitest';
import type { Json, ToolOutput } from '@palimpsest/contracts';
import { errorOf, exitOf, workLine } from './work.ts';

const text = (value: string): ToolOutput => ({ type: 'text', value });

describe('work lines', () => {
  it.each<[string, Json, ToolOutput | null, string]>([
    ['bash', { command: 'npm  test\n--silent' }, text('a\nb\nexit code: 1'), 'bash `npm test --silent` → exit 1, 3 lines'],
    ['read', { path: 'src/a.ts' }, text('x'.repeat(12)), 'read `src/a.ts` → ok, 12 chars'],
    ['edit', { command: 'create', path: 'src/a.ts' }, { type: 'error-text', value: 'no' }, 'edit `create` `src/a.ts` → error, 2 chars'],
    ['odd', { first: 1, second: [2], third: 3 }, null, 'odd first=`1` second=`[2]` → no result'],
    ['odd', { user: 'me', password: 'hunter2correct' }, null, 'odd user=`me` password=`[redacted]` → no result'],
    ['raw', '{"cut', text(''), 'raw `{"cut` → ok, 0 chars'],
    ['none', null, { type: 'json', value: { exit_code: 2 } }, 'none → exit 2, 15 chars'],
    ['shot', {}, { type: 'content', value: [{ type: 'image-data', data: 'aaaa', mediaType: 'image/png' }] }, 'shot → ok, 7 chars'],
    ['bash', { command: `echo ${'x'.repeat(200)}` }, null, `bash \`echo ${'x'.repeat(74)}…\` → no result`],
    ['bash', { command: 'login --token abcdefgh1234' }, null, 'bash `login --token [redacted]` → no result'],
  ])('%s %j', (name, input, output, line) => {
    expect(workLine(name, input, output)).toBe(line);
  });

  it.each([
    ['Process exited with code 127', 127],
    ['returncode: 0', 0],
    ['{"exitCode":3}', 3],
    ['Exit code 1', 1],
    ['exit status 2', 2],
    ['no exit here', null],
    ['exit -1', -1],
  ])('exit code of %s', (value, code) => {
    expect(exitOf(value)).toBe(code);
  });
});

describe('errors', () => {
  it.each<[ToolOutput, string | null]>([
    [{ type: 'error-text', value: '\nENOENT: no such file\n  at open' }, 'ENOENT: no such file'],
    [{ type: 'error-text', value: 'odd' }, 'odd'],
    [{ type: 'error-json', value: { message: 'denied' } }, '{"message":"denied"}'],
    [text('Traceback (most recent call last):\n  File "a.py"\nKeyError: 3 failed\nexit code 1'), 'KeyError: 3 failed'],
    [text('error: this is only talk'), null],
    [text('error: nothing\nexit code: 0'), null],
    [text('quiet\nexit code: 5'), null],
  ])('%j', (output, line) => {
    const shown = output.type === 'content' ? '' : typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
    expect(errorOf(output, shown)).toBe(line);
  });
});
