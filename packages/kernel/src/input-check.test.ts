import { expect, it } from 'vitest';
import { KernelBench, TalkingModel, type Opened } from '../test/bench.ts';
import { inputOf } from './input-check.ts';

const text = { type: 'text', text: 'hi' };
const withOptions = (inner: unknown): object => ({ content: [{ ...text, providerOptions: { p: { inner } } }] });
const circle: { left?: object; right?: object } = {};
circle.left = circle.right = circle;

const bad: readonly [string, unknown, string][] = [
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a number', 7, ''],
  ['no content', {}, 'content'],
  ['null as content', { content: null }, 'content'],
  ['no part', { content: [null] }, 'content[0]'],
  ['a part of no kind', { content: [text, { type: 'bogus' }] }, 'content[1].type'],
  ['a call', { content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: {} }] }, 'content[0].type'],
  ['a text part without text', { content: [{ type: 'text' }] }, 'content[0].text'],
  ['a BigInt', { content: [{ type: 'text', text: 5n }] }, 'content[0].text'],
  ['a BigInt further in', withOptions(5n), 'content[0].providerOptions.p.inner'],
  ['a circle', withOptions(circle), 'content[0].providerOptions.p'],
  ['an image in bytes', { content: [{ type: 'image', image: new Uint8Array([1, 2]) }] }, 'content[0].image'],
  ['a file in a buffer', { content: [{ type: 'file', data: Buffer.from('x'), mediaType: 'text/plain' }] }, 'content[0].data'],
  ["an origin that is the system's", { content: 'x', origin: 'system' }, 'origin'],
  ["an origin that is the model's", { content: 'x', origin: 'model' }, 'origin'],
  ["an origin that is a tool's", { content: [text], origin: 'tool' }, 'origin'],
  ["a summary's origin", { content: 'x', origin: 'handoff' }, 'origin'],
  [
    'what resists being looked at',
    {
      get content(): string {
        throw new Error('no');
      },
    },
    '',
  ],
];

it.each(bad)('is refused with a typed error that names the field: %s', (_name, given, field) => {
  expect(inputOf(given)).toMatchObject({ code: 'INPUT_INVALID', details: { field }, hint: expect.stringMatching(/\S/u) as string });
});

it.each<[unknown, object]>([
  ['hi', { content: 'hi' }],
  [{ content: 'hi', origin: undefined }, { content: 'hi' }],
  [
    { content: [{ ...text, providerOptions: { p: { a: undefined, b: [1] } } }], origin: 'notice' },
    { content: [{ ...text, providerOptions: { p: { b: [1] } } }], origin: 'notice' },
  ],
  [
    { content: [{ type: 'image', image: new URL('https://example.com/a.png'), mediaType: undefined }] },
    { content: [{ type: 'image', image: 'https://example.com/a.png' }] },
  ],
])('is an input: %j', (given, input) => {
  expect(inputOf(given)).toStrictEqual(input);
});

function asked({ session }: Opened, how: string, given: unknown): Promise<unknown> {
  return how === 'submit' ? session.loop.submit(given as string) : session.send(given as string, { steer: how === 'steer' }).result;
}

it.each(['send', 'steer', 'submit'])('writes nothing of what is refused, and the session goes on: %s', async (how) => {
  const bench = new KernelBench();
  let go = (): void => undefined;
  const model = new TalkingModel((_request, _options, call) =>
    call === 0 && how === 'steer'
      ? new Promise((resolve) => {
          go = () => {
            resolve('first');
          };
        })
      : 'done',
  );
  const opened = await bench.open({ model });
  const running = how === 'steer' ? opened.session.send('Go') : null;
  while (running !== null && model.requests.length === 0) await bench.clock.advance(0);
  const before = await bench.entries();
  for (const [, given] of bad) await expect(asked(opened, how, given)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(await bench.entries()).toEqual(before);
  go();
  await running?.result;
  expect(await opened.session.send({ content: [{ type: 'text', text: 'Again' }] }).result).toMatchObject({
    ended: 'answered',
    text: 'done',
  });
});

it('says what was meant when it was said', async () => {
  const model = new TalkingModel();
  const { session } = await new KernelBench().open({ model });
  const content = [{ type: 'text' as const, text: 'first' }];
  const turn = session.send({ content });
  content[0] = { type: 'text', text: 'another' };
  await turn.result;
  expect(JSON.stringify(model.requests)).toContain('first');
});
