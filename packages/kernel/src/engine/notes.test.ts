import { describe, expect, it } from 'vitest';
import type { Note } from '@palimpsest/contracts';
import { KernelBench } from '../../test/bench.ts';

/** Runs after so many turns of the microtask queue. */
function later(ticks: number, work: () => void): void {
  queueMicrotask(() => {
    if (ticks === 0) work();
    else later(ticks - 1, work);
  });
}

describe.each(Array.from({ length: 16 }, (_, ticks) => ticks))(
  'a note that its engine changes %i ticks after it was handed over',
  (ticks) => {
    async function said(text: unknown): Promise<{ readonly shown: string | null; readonly tokens: number } | undefined> {
      const note = { key: 'cue', text: 'a cue' };
      const bench = new KernelBench();
      const begin = (): Promise<readonly Note[]> => {
        later(ticks, () => {
          Object.assign(note, { text });
        });
        return Promise.resolve([note]);
      };
      const { session } = await bench.open({ engine: { begin } });
      expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
      return (await bench.entries()).flatMap((entry) => (entry.kind === 'custom' ? [entry] : []))[0];
    }

    it('costs what is shown of it', async () => {
      const entry = await said('word '.repeat(1_000));
      expect(entry?.tokens).toBe(Math.ceil(`[test@1] ${entry?.shown ?? ''}`.length / 4) + 8);
    });

    it('does not fail the turn', async () => {
      await said(7);
    });
  },
);
