import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { redact } from './redact.ts';

/** Put together here, so that no scanner takes the test for a leak. */
const secret = {
  openai: `sk-proj-${'aB3d'.repeat(8)}`,
  anthropic: `sk-ant-api03-${'x9Y_'.repeat(10)}`,
  stripe: `sk_live_${'a1'.repeat(12)}`,
  github: `ghp_${'Ab1'.repeat(12)}`,
  pat: `github_pat_${'Ab1_'.repeat(10)}`,
  gitlab: `glpat-${'aB3-'.repeat(5)}`,
  slack: `xoxb-${'123-'.repeat(5)}abc`,
  google: `AIza${'Sy1_'.repeat(9)}`,
  hub: `hf_${'aBc1'.repeat(8)}`,
  npm: `npm_${'aBc1'.repeat(9)}`,
  aws: `AKIA${'Q1W2'.repeat(4)}`,
  jwt: `eyJ${'hbGc'.repeat(5)}.eyJ${'zdWI'.repeat(6)}.${'s1-_'.repeat(8)}`,
  word: 'hunter2correcthorse',
};
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow/abc+def0\n'.repeat(6)}-----END RSA PRIVATE KEY-----`;

describe('redact', () => {
  it.each(Object.entries(secret).filter(([name]) => name !== 'word'))('%s', (_name, value) => {
    expect(redact(`before ${value}, after`)).toBe('before [redacted], after');
    expect(redact(`{"key":"${value}"}`)).not.toContain(value);
  });

  it.each([
    [`Authorization: Bearer ${secret.word}`, 'Authorization: [redacted]'],
    [`curl -H "Authorization: Basic ${secret.word}" x`, 'curl -H "Authorization: [redacted]" x'],
    [`{"authorization":"${secret.word}"}`, '{"authorization":"[redacted]"}'],
    [`sent bearer ${secret.word} to it`, 'sent bearer [redacted] to it'],
    [`Set-Cookie: sid=${secret.word}; Path=/`, 'Set-Cookie: [redacted]'],
    [`postgres://admin:${secret.word}@db.local:5432/app`, 'postgres://[redacted]@db.local:5432/app'],
    [`password=${secret.word}`, 'password=[redacted]'],
    [`DB_PASSWORD="${secret.word}"`, 'DB_PASSWORD=[redacted]'],
    [`"api_key": "${secret.word}", "port": 80`, '"api_key": [redacted], "port": 80'],
    [`export GITHUB_TOKEN=${secret.word}`, 'export GITHUB_TOKEN=[redacted]'],
    [`aws_secret_access_key = ${secret.word}`, 'aws_secret_access_key = [redacted]'],
    [`login --password ${secret.word} --user me`, 'login --password [redacted] --user me'],
    [`"{\\"token\\":\\"${secret.word}\\"}"`, '"{\\"token\\":[redacted]}"'],
    [`a\n${pem}\nb`, 'a\n[redacted]\nb'],
    [pem.slice(0, 60), '[redacted]'],
    [`${pem.slice(40)}\nrest`, '[redacted]\nrest'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    'max_tokens: 4096',
    'the token count is 12',
    'function token(value: string)',
    'token: string',
    'password: process.env.PASSWORD',
    'api_key=${API_KEY}',
    'task-sk-none',
    'if (token === other)',
    'https://example.org/a:b',
    'git@github.com:acme/app.git',
    'see src/secret.ts',
    'https://example.org/x?page=2',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('changes nothing the second time', () => {
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(secret), pem, 'password=', 'token: ', 'Authorization: ', '://', '@', ' ', '\n', '"'),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join(''));
        expect(redact(once)).toBe(once);
      }),
      { seed: 3, numRuns: 400 },
    );
  });

  it('takes long runs without a break in little time', () => {
    for (const run of ['a', 'a-', 'A1', '://', 'token:"', 'eyJ', '-----BEGIN PRIVATE KEY-----', 'x:', '\n']) {
      // Anything worse than linear would run into the test's own limit here.
      expect(redact(run.repeat(Math.ceil(320_000 / run.length))).length).toBeGreaterThan(0);
    }
  });
});
