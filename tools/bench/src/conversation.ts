import { writeFileSync } from 'node:fs';

/** A small deterministic stream of numbers in [0, 1). */
function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const words =
  'the log keeps what happened while a view shows what fits and every block says why it stands there src index test build error line value return async const export function result token budget engine plan'.split(
    ' ',
  );

/** Text of about so many characters, as tool output and answers look: words, paths, numbers, line breaks. */
export function textOf(random: () => number, characters: number): string {
  let text = '';
  while (text.length < characters) {
    const pick = random();
    text +=
      pick < 0.08
        ? `src/${word(random)}/${word(random)}.ts:${String(Math.floor(random() * 900))} `
        : pick < 0.14
          ? `${String(Math.floor(random() * 1e6))} `
          : pick < 0.2
            ? `${word(random)}_${word(random)}\n`
            : `${word(random)} `;
  }
  return text.trim();
}

function word(random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? 'log';
}

/** One message of a made-up session: a user's every 40, else a call and its result. */
export interface Made {
  readonly role: 'user' | 'assistant' | 'toolResult';
  readonly text: string;
  readonly id: string;
}

export function* conversation(messages: number, seed = 1): Generator<Made> {
  const random = stream(seed);
  for (let at = 0; at < messages; at += 1) {
    const id = `call_${String(at)}`;
    if (at % 40 === 0) yield { role: 'user', text: textOf(random, 200), id };
    else if (at % 2 === 1) yield { role: 'assistant', text: textOf(random, 220), id };
    else yield { role: 'toolResult', text: textOf(random, 1_100), id: `call_${String(at - 1)}` };
  }
}

/** The same as a pi session file. Odd messages ask for a tool unless a user's message follows. Returns its bytes. */
export function writePiFile(file: string, messages: number): number {
  const lines = [JSON.stringify({ type: 'session', version: 3, id: 'bench', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/project' })];
  let parent: string | null = null;
  let at = 0;
  for (const made of conversation(messages)) {
    at += 1;
    const id = at.toString(16).padStart(8, '0');
    lines.push(
      JSON.stringify({
        type: 'message',
        id,
        parentId: parent,
        timestamp: new Date(1_767_225_600_000 + at * 1000).toISOString(),
        message: piMessage(made, at % 40 === 0),
      }),
    );
    parent = id;
  }
  const text = `${lines.join('\n')}\n`;
  writeFileSync(file, text);
  return Buffer.byteLength(text);
}

function piMessage({ role, text, id }: Made, last: boolean): object {
  if (role === 'user') return { role, content: text };
  if (role === 'toolResult') return { role, toolCallId: id, toolName: 'read', content: [{ type: 'text', text }], isError: false };
  const call = last ? [] : [{ type: 'toolCall', id, name: 'read', arguments: { path: `src/${id}.ts` } }];
  return { role, content: [{ type: 'text', text }, ...call], usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
}
