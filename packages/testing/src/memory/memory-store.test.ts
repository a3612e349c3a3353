import { expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { sessionIdOf, sessionOf, userDraft } from '../drafts.ts';
import { storeContract } from '../store-contract.ts';
import { MemoryStore } from './memory-store.ts';

storeContract('MemoryStore', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  return { store, clock, close: () => store.close() };
});

it('freezes what it returns', async () => {
  const store = new MemoryStore();
  await store.log.open(sessionOf('s'));
  const [entry] = await store.log.append({ session: sessionIdOf('s'), leaf: null, fence: null, entries: [userDraft('a')] });
  expect(() => Object.assign(entry as object, { tokens: 1 })).toThrow(TypeError);
});
