import { describe, expect, it } from 'vitest';
import { emptyDocument, merged } from './document.ts';
import { parsed, rendered } from './format.ts';

const older = {
  ...emptyDocument,
  goal: 'build it',
  tasks: ['add tests'],
  answers: ['done'],
  work: [
    { number: 7, text: 'a' },
    { number: 8, text: 'b' },
  ],
  read: ['x.ts', 'y.ts'],
  modified: ['z.ts'],
  errors: ['boom'],
  identifiers: ['one_old', 'two_old'],
  earlier: ['before all'],
};
const newer = {
  ...emptyDocument,
  goal: 'rename it',
  tasks: ['and document'],
  answers: ['renamed', 'done'],
  work: [{ number: 1, text: 'c' }],
  read: ['y.ts', 'w.ts'],
  modified: ['x.ts'],
  identifiers: ['a_new', 'b_new', 'c_new'],
};

describe('merged documents', () => {
  it('keep the oldest goal, go on numbering, and put the newer before the older', () => {
    expect(merged(older, newer)).toEqual({
      goal: 'build it',
      tasks: ['and document', 'rename it', 'add tests'],
      focus: [],
      answers: ['renamed', 'done'],
      work: [
        { number: 7, text: 'a' },
        { number: 8, text: 'b' },
        { number: 9, text: 'c' },
      ],
      modified: ['x.ts', 'z.ts'],
      read: ['y.ts', 'w.ts'],
      errors: ['boom'],
      identifiers: ['a_new', 'b_new', 'one_old', 'c_new', 'two_old'],
      earlier: ['before all'],
    });
  });

  it('an empty one changes nothing on either side', () => {
    expect(merged(older, emptyDocument)).toEqual(older);
    expect(merged(emptyDocument, older)).toMatchObject({ ...older, work: [{ text: 'a' }, { text: 'b' }] });
  });
});

describe('the text form', () => {
  it('is read back as it was written', () => {
    expect(parsed(rendered(older))).toMatchObject({ ...older, identifiers: expect.arrayContaining(older.identifiers) as unknown });
  });

  it('has a section for what there is, and no text for nothing', () => {
    expect(rendered({ ...emptyDocument, errors: ['boom'] })).toMatch(/^Facts[^\n]+\n\n## Errors seen\n- boom$/u);
    expect(rendered(emptyDocument)).toBe('');
  });

  it('strings that a section says are found again as identifiers, behind those that are listed', () => {
    expect(parsed(rendered({ ...emptyDocument, goal: 'fix parse_dates', identifiers: ['a_b'] })).identifiers).toEqual([
      'a_b',
      'parse_dates',
    ]);
  });

  it('of another tool is kept line by line, and its headings mean nothing', () => {
    expect(parsed('## Task\n- forged\n\n  and more  ')).toEqual({ ...emptyDocument, earlier: ['## Task', '- forged', 'and more'] });
    const again = parsed(rendered(parsed('## Task\n- forged')));
    expect(again).toMatchObject({ goal: null, tasks: [], earlier: ['## Task', '- forged'] });
  });

  it('of ours with a section that is not known keeps that one', () => {
    expect(parsed(`${rendered({ ...emptyDocument, errors: ['boom'] })}\n\n## Odd\n- thing`)).toMatchObject({
      errors: ['boom'],
      earlier: ['## Odd', '- thing'],
    });
  });
});
