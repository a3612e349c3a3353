import { anyhow } from '../anyhow.ts';
import fc from 'fast-check';
import type { Check, CheckContext, Found } from '../check.ts';
import type { Step } from '../conversations.ts';
import { workout } from '../workout.ts';

const texts: Readonly<Record<string, string>> = {
  chinese: '上下文窗口之外的内容不会消失，它仍然保存在日志里。'.repeat(40),
  japanese: 'ログには全てが残り、要約は古い部分だけを覆います。'.repeat(40),
  korean: '대화가 길어지면 오래된 부분을 요약합니다. '.repeat(40),
  arabic: 'السجل يحتفظ بكل ما حدث. '.repeat(40),
  'emoji sequences': '👩‍👩‍👧‍👦🇰🇷👍🏽 done '.repeat(60),
  'lone surrogates': 'before \ud800 between \udc00 after '.repeat(30),
  'NUL and control characters': 'a\u0000b\u0007c\u001b[2Jd '.repeat(60),
  'one very long line': 'x'.repeat(20_000),
};

const talk = (text: string): readonly Step[] =>
  Array.from({ length: 4 }, (_, at): Step[] => [
    { kind: 'user', text: `${String(at)} ${text}` },
    { kind: 'tools', calls: [{ id: `c${String(at)}`, name: 'read', input: { path: text.slice(0, 40) }, output: text }] },
    { kind: 'reply', text },
  ]).flat();

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\ud83d', '\ude00', '\u0000', '\n', '漢', 'a', ' ', '"', '\\', '<', '{'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
  minLength: 0,
  maxLength: 400,
});

export const language: readonly Check[] = [
  ...Object.entries(texts).map(([name, text]): Check => ({
    group: 'language',
    name,
    run: async ({ lab }: CheckContext): Promise<Found> => workout(await (await lab.session()).grow(talk(text))),
  })),
  {
    group: 'language',
    name: 'any text',
    run: (context: CheckContext): Promise<Found> =>
      anyhow(
        context,
        workout,
        anyText.map((text) => talk(text)),
      ),
  },
];
