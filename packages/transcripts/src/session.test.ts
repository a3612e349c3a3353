import { afterAll, expect, it } from 'vitest';
import { scratch } from '../test/building.ts';
import { piLines } from '../test/synthetic.ts';
import { openTranscript } from './index.ts';

afterAll(() => {
  scratch.remove();
});

it('gives a report before, during and after an iteration', async () => {
  const [session] = (await openTranscript(scratch.write(piLines().join('\n')))).sessions;
  expect(session?.report().records).toBe(0);
  for await (const item of session?.items() ?? []) if (item.kind === 'assistant') break;
  expect(session?.report().records).toBeLessThan(10);
  for await (const item of session?.items() ?? []) expect(item.line).not.toBe(0);
  expect(session?.report().records).toBe(16);
});
