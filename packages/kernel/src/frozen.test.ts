import { describe, expect, it } from 'vitest';
import type { Placed, PlanRequest } from '@palimpsest/contracts';
import { compactionDraft } from '@palimpsest/testing';
import { KernelBench, TalkingModel, whole } from '../test/bench.ts';

/** A store whose entries can be written to, as those are that come from a disk. */
function thawed(): KernelBench {
  const bench = new KernelBench();
  const { log } = bench.store;
  const [append, branch] = [log.append.bind(log), log.branch.bind(log)];
  Object.assign(log, {
    append: async (write: Parameters<typeof append>[0]) => structuredClone(await append(write)),
    branch: async (...ask: Parameters<typeof branch>) => structuredClone(await branch(...ask)),
  });
  return bench;
}

/** Tries to put other words into what it is given. */
function rewritten(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    rewritten(inner);
    try {
      Object.assign(value, { [key]: 'rewritten' });
    } catch {
      // refused, as it should be
    }
  }
}

async function seen(entries: AsyncIterable<Placed>): Promise<readonly Placed[]> {
  const all: Placed[] = [];
  for await (const placed of entries) all.push(placed);
  return all;
}

describe('what an engine is given cannot be rewritten by it:', () => {
  const ways: Record<string, (request: PlanRequest) => Promise<unknown>> = {
    'entries, newest first': ({ branch }) => seen(branch.newestFirst()),
    'entries, oldest first': ({ branch }) => seen(branch.oldestFirst(null)),
    'one entry': ({ branch, newestUserEntry }) => branch.get(newestUserEntry ?? branch.first),
    'the compaction in force': ({ branch }) => Promise.resolve(branch.compaction),
    'the reader itself': ({ branch }) => Promise.resolve(branch),
    'the request': (request) => Promise.resolve(request),
  };

  it.each(Object.entries(ways))('%s', async (_name, given) => {
    const model = new TalkingModel((_request, _options, call) => `answer ${String(call)}`);
    const bench = thawed();
    const { session, kit } = await bench.open({
      model,
      engine: {
        plan: async (request) => {
          rewritten(await given(request));
          return whole(request);
        },
      },
    });
    await session.send('first question').result;
    const through = kit.journal.branch().last;
    await session.send('second question').result;
    const hold = await kit.journal.hold();
    await kit.journal.append([
      compactionDraft([{ through, show: 'summary', text: { inline: 'what was said' }, tokens: 5, quality: 'model', trust: 'user' }]),
    ]);
    await hold.release();
    await session.send('third question').result;
    expect(JSON.stringify(model.requests)).not.toContain('rewritten');
    expect(JSON.stringify(model.requests.at(-1))).toContain('what was said');
    expect(kit.engine.failures).toEqual([]);
    for (let step = 1; step <= 3; step += 1) expect(await session.why(step)).toMatchObject({ verified: true });
  });
});

it('shows an engine nothing of the kernel but what the contract names', async () => {
  const branches: object[] = [];
  const { session } = await new KernelBench().open({
    engine: {
      plan: (request) => {
        branches.push(request.branch);
        return whole(request);
      },
    },
  });
  await session.send('Go').result;
  expect(branches.flatMap((branch) => Object.getOwnPropertyNames(branch)).sort()).toEqual(['compaction', 'first', 'last', 'shownTokens']);
});

it('lets no model rewrite what was said', async () => {
  const model = new TalkingModel((request) => {
    rewritten(request.messages);
    return 'ok';
  });
  const { session } = await thawed().open({ model });
  await session.send('first question').result;
  await session.send('second question').result;
  expect(JSON.stringify(model.requests[1])).toContain('first question');
});

it('takes an engine that throws over a refused write for one that failed', async () => {
  const { session, kit } = await thawed().open({
    engine: {
      plan: async (request) => {
        const placed = await request.branch.get(request.branch.first);
        if (placed !== null) (placed.entry as { tokens: number }).tokens = 0;
        return whole(request);
      },
    },
  });
  await expect(session.send('Go').result).rejects.toMatchObject({ code: 'ENGINE_FAILED', details: { rule: 'throws' } });
  expect(kit.engine.failures).toHaveLength(2);
});
