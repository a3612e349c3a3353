import { expect, it } from 'vitest';
import type { Prepared, TurnEnd } from '@palimpsest/contracts';
import { KernelBench, type Opened } from '../test/bench.ts';
import type { Recording } from './host-answer.ts';

async function prepared({ session }: Opened): Promise<Prepared> {
  const step = await session.loop.prepare();
  if ('refused' in step) throw new Error(step.refused);
  return step;
}

it.each<[string, Recording, TurnEnd]>([
  ['failed', { error: { kind: 'rate_limit', message: 'later' } }, 'failed'],
  ['answered', { reply: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } }, 'answered'],
])('a turn that %s is over: it is committed once, and the next begins with submit', async (_how, answer, ended) => {
  const ends: string[] = [];
  const bench = new KernelBench();
  const opened = await bench.open({
    engine: {
      commit: (turn) => {
        ends.push(`commit ${turn.ended}`);
        return Promise.resolve('committed');
      },
    },
  });
  const { session } = opened;
  session.on('turn.completed', (turn) => {
    ends.push(`completed ${turn.ended}`);
  });
  await session.loop.submit('Go');
  const { stepId } = await prepared(opened);
  expect(await session.loop.record(stepId, answer)).toEqual({ next: 'done', ended });
  const before = await bench.entries();
  await expect(session.loop.prepare()).rejects.toMatchObject({ code: 'LOOP_NO_TURN', hint: expect.stringContaining('submit') as string });
  await expect(session.loop.record(stepId, answer)).rejects.toMatchObject({ code: 'LOOP_NO_TURN' });
  expect(await bench.entries()).toEqual(before);
  expect(ends).toEqual([`commit ${ended}`, `completed ${ended}`]);
  await session.loop.submit('Again');
  await session.loop.record((await prepared(opened)).stepId, answer);
  await session.close();
  expect(ends).toEqual([`commit ${ended}`, `completed ${ended}`, `commit ${ended}`, `completed ${ended}`]);
});
