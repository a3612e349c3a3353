import { expect, it } from 'vitest';
import { mistyped } from './mistyped.ts';

it('is one line, with the nearest word where there is one', () => {
  expect(mistyped("error: unknown command 'sesions'\n(Did you mean sessions?)")).toMatchObject({
    code: 'USAGE_INVALID',
    kind: 'config',
    message: "unknown command 'sesions'",
    hint: 'Did you mean sessions? See palimpsest --help',
  });
  expect(mistyped("error: option '--wire <name>' argument 'x' is invalid. Allowed choices are a, b.")).toMatchObject({
    message: "option '--wire <name>' argument 'x' is invalid. Allowed choices are a, b.",
    hint: 'See palimpsest --help',
  });
});
