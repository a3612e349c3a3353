/** Engines whose plans are wrong, or depend on what a plan may not depend on. */
import type { ArtifactId, ContextEngine, ContextPlan, EngineHost, EntryId, PlanRequest } from '@palimpsest/contracts';
import { everything } from './honest.ts';
import { but, hostile, isCalling, never, nothing, placedOf, planOf, plansWith, whole, type HostileEngine } from './making.ts';

async function cutsPairs(request: PlanRequest): Promise<ContextPlan> {
  const asking = (await placedOf(request)).find((one) => isCalling(one) && one.shape.kind === 'whole');
  return asking === undefined || asking.entry.id === request.branch.last
    ? everything(request)
    : planOf([whole(asking.entry.id), whole(request.branch.last)]);
}

/** Ends a stretch in the middle of what a compaction covers. */
async function cutsSummaries(request: PlanRequest): Promise<ContextPlan> {
  const covered = (await placedOf(request)).filter(({ shape }) => shape.kind === 'covered');
  const [first] = covered;
  return first === undefined || covered.length < 2 ? everything(request) : planOf([nothing(first.entry.id), whole(request.branch.last)]);
}

/** The first call with its result, and what is before it, stand as this, until a compaction covers them. */
const beginning = async (request: PlanRequest, summary: object): Promise<ContextPlan> => {
  const placed = await placedOf(request);
  const newest = placed.findIndex(({ entry }) => entry.id === request.newestUserEntry);
  const last = placed.findIndex(
    (one, at) => one.entry.kind === 'message' && one.entry.message.role === 'tool' && placed[at + 1]?.group !== one.group,
  );
  const end = placed[last];
  if (end === undefined || last >= newest || request.branch.compaction !== null) return everything(request);
  return planOf([
    { through: end.entry.id, show: 'summary', text: { inline: 'Earlier.' }, tokens: 60, quality: 'stub', trust: 'external', ...summary },
    whole(request.branch.last),
  ]);
};

/** Hides all before another message each time. */
async function hidesAnother(request: PlanRequest): Promise<ContextPlan> {
  const placed = await placedOf(request);
  const newest = placed.findIndex(({ entry }) => entry.id === request.newestUserEntry);
  const alone = placed
    .slice(0, newest)
    .filter(
      ({ group, entry, shape }, at) => shape.kind === 'whole' && group === entry.id && placed[at + 1]?.group === placed[at + 1]?.entry.id,
    );
  const first = alone[placed.length % 5];
  return first === undefined || alone.length < 6 ? everything(request) : planOf([nothing(first.entry.id), whole(request.branch.last)]);
}

/** A plan that remembers where the last one ended: right until the branch goes another way. */
function remembersLeaf(): ContextEngine['plan'] {
  const known: EntryId[] = [];
  return async (request) => {
    const [last] = known.slice(-1);
    known.push(request.branch.last);
    if (last === undefined || last === request.branch.last) return everything(request);
    const ids = new Set((await placedOf(request)).map(({ entry }) => entry.id));
    return ids.has(last) ? everything(request) : planOf([whole(last), whole(request.branch.last)]);
  };
}

/** Once it has planned under a compaction, what that covered stays hidden, undo or not; on another way it forgets it. */
function hidesWhatWasCovered(own: ContextEngine): ContextEngine['plan'] {
  let through: EntryId | null = null;
  return async (request) => {
    const placed = await placedOf(request);
    through = placed.findLast(({ shape }) => shape.kind === 'covered')?.entry.id ?? through;
    const isHere = placed.some(({ entry }) => entry.id === through);
    return through === null || !isHere || request.branch.compaction !== null
      ? own.plan(request)
      : planOf([nothing(through), whole(request.branch.last)]);
  };
}

/** What no fork has: its own index says that there is nothing to show of a covered stretch. */
function hidesByItsIndex(host: EngineHost, own: ContextEngine): Partial<ContextEngine> {
  return {
    compact: async (request) => {
      await host.derived.set('parent', true);
      return own.compact?.(request) ?? { kind: 'noop', reason: 'nothing-eligible' };
    },
    plan: async (request) => {
      const through = (await placedOf(request)).findLast(({ shape }) => shape.kind === 'covered')?.entry.id;
      return through === undefined || (await host.derived.get('parent')) === null
        ? own.plan(request)
        : planOf([nothing(through), whole(request.branch.last)]);
    },
  };
}

const guessing = (estimate: (request: PlanRequest, host: EngineHost) => number): ReturnType<typeof but> =>
  but((host) => ({ plan: (request) => ({ ...everything(request), estimateTokens: estimate(request, host) }) }));

/** By the same clocks as the kit: time that passed, and time that was worked. */
const cpuMs = (): number => {
  const { user, system } = ((process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1_000;
};
const LARGE = 50_000;
const STALL_MS = 500;
const STALL_READINGS = 6;

/** On a large branch it works for many times as long as it takes to read it, on whatever machine, and lets nobody else run. */
async function stalling(request: PlanRequest): Promise<ContextPlan> {
  const from = performance.now();
  if ((await placedOf(request)).length < LARGE) return everything(request);
  const [now, worked] = [performance.now(), cpuMs()];
  const ms = STALL_MS + (now - from) * STALL_READINGS;
  while (performance.now() - now < ms || cpuMs() - worked < ms);
  return everything(request);
}

let objects = 0;
let open = 0;

export const oddPlans: readonly HostileEngine[] = [
  hostile(
    'throws-in-plan',
    'shape',
    'throws',
    plansWith(() => {
      throw new Error('plan broke');
    }),
  ),
  hostile(
    'rejects-with-nothing',
    'shape',
    'throws',
    plansWith(
      () =>
        new Promise((_resolve, reject) => {
          (reject as () => void)();
        }),
    ),
  ),
  hostile(
    'answers-nonsense',
    'shape',
    'plan-invalid',
    plansWith(() => ({ segments: 'all of it' }) as never),
  ),
  hostile(
    'answers-with-a-trap',
    'shape',
    'throws',
    plansWith(() => ({
      estimateTokens: 1,
      get segments(): never {
        throw new Error('it bites');
      },
    })),
  ),
  hostile(
    'knows-no-tool-loop',
    'shape',
    'throws',
    plansWith((request) => {
      if (request.purpose === 'tool-loop') throw new Error('what loop?');
      return everything(request);
    }),
  ),
  hostile(
    'sulks-when-corrected',
    'shape',
    'throws',
    plansWith((request) => {
      if (request.rejected !== undefined) throw new Error('as I said');
      return everything(request);
    }),
  ),
  hostile(
    'hangs-in-plan',
    'cancel',
    'deadline',
    plansWith(() => never()),
  ),
  hostile(
    'hangs-behind-a-then',
    'cancel',
    'deadline',
    plansWith(() => ({ then: () => undefined }) as never),
  ),
  hostile(
    'forges-ids',
    'coverage',
    'edge-unknown',
    plansWith(({ branch }) => planOf([whole('e_forged' as EntryId), whole(branch.last)])),
  ),
  hostile('cuts-summaries', 'coverage', 'edge-unknown', plansWith(cutsSummaries)),
  hostile(
    'names-no-artifact',
    'coverage',
    'artifact-unknown',
    plansWith((request) => beginning(request, { text: { artifact: 'a'.repeat(32) as ArtifactId } })),
  ),
  hostile(
    'stops-short',
    'coverage',
    'not-whole',
    plansWith((request) => (request.branch.compaction === null ? planOf([whole(request.branch.first)]) : everything(request))),
  ),
  hostile(
    'repeats-edges',
    'coverage',
    'edge-order',
    plansWith(({ branch }) => planOf([whole(branch.last), whole(branch.last)])),
  ),
  hostile(
    'walks-backwards',
    'coverage',
    'edge-order',
    plansWith(async (request) => {
      const first = (await placedOf(request)).find(({ shape }) => shape.kind === 'whole');
      return first === undefined || first.entry.id === request.branch.last
        ? everything(request)
        : planOf([whole(request.branch.last), whole(first.entry.id)]);
    }),
  ),
  hostile(
    'drops-the-user',
    'structure',
    'newest-user-entry',
    plansWith(({ branch }) => planOf([nothing(branch.last)])),
  ),
  hostile('cuts-pairs', 'structure', 'pair-cut', plansWith(cutsPairs)),
  hostile(
    'mutates',
    'purity',
    'mutation',
    plansWith((request) => {
      (request as { purpose: string }).purpose = 'mine';
      return everything(request);
    }),
  ),
  hostile(
    'mutates-entries',
    'purity',
    'mutation',
    plansWith(async (request) => {
      for (const { entry } of await placedOf(request))
        if (entry.kind === 'message')
          for (const part of entry.message.content) if (part.type === 'text') (part as { text: string }).text = 'rewritten';
      return everything(request);
    }),
  ),
  hostile(
    'mutates-options',
    'purity',
    'mutation',
    but((host) => ({
      plan: (request) => {
        (host as { options: { seen?: string } }).options.seen = request.branch.last;
        return everything(request);
      },
    })),
  ),
  hostile(
    'rolls-dice',
    'purity',
    'plan-differs',
    guessing(() => Math.random() * 1_000),
  ),
  hostile(
    'reads-the-clock',
    'purity',
    'plan-differs',
    guessing((_request, host) => host.now() % 1e9),
  ),
  hostile(
    'reads-the-calendar',
    'purity',
    'plan-differs',
    guessing(() => new Date().getUTCDate()),
  ),
  hostile(
    'previews-otherwise',
    'purity',
    'plan-differs',
    guessing(({ purpose }) => purpose.length),
  ),
  hostile(
    'writes-when-it-plans',
    'purity',
    'plan-writes',
    but((host) => ({
      plan: async (request) => {
        await host.derived.set('last', request.branch.last);
        return everything(request);
      },
    })),
  ),
  hostile(
    'learns-from-usage',
    'purity',
    'plan-differs',
    but(() => {
      let seen = 0;
      return {
        observe: ({ usage }) => {
          seen += usage.input;
        },
        plan: (request) => ({ ...everything(request), estimateTokens: seen }),
      };
    }),
  ),
  hostile(
    'trusts-tools-in-plans',
    'injection',
    'trust-rises',
    plansWith((request) => beginning(request, { trust: 'user' })),
  ),
  hostile(
    'counts-nothing-in-plans',
    'budget',
    'tokens-underclaimed',
    plansWith((request) => beginning(request, { tokens: 0 })),
  ),
  hostile(
    'forgets',
    'crash',
    'state-lost',
    but(() => ((serial) => ({ plan: (request: PlanRequest) => ({ ...everything(request), estimateTokens: serial }) }))(++objects)),
  ),
  hostile('breaks-the-prefix', 'cache', 'prefix-broken', plansWith(hidesAnother)),
  hostile(
    'remembers-the-leaf',
    'branch',
    'edge-unknown',
    but(() => ({ plan: remembersLeaf() })),
  ),
  hostile(
    'clings-to-summaries',
    'branch',
    'undo-differs',
    but((_host, own) => ({ plan: hidesWhatWasCovered(own) })),
  ),
  hostile('keeps-truth-aside', 'branch', 'fork-differs', but(hidesByItsIndex)),
  hostile(
    'counts-other-sessions',
    'isolation',
    'leaks-session',
    but(() => {
      open += 1;
      return {
        plan: (request) => ({ ...everything(request), estimateTokens: open }),
        close: () => {
          open -= 1;
          return Promise.resolve();
        },
      };
    }),
  ),
  hostile(
    'chokes-on-text',
    'language',
    'throws',
    plansWith(async (request) => {
      for (const { entry } of await placedOf(request))
        if (entry.kind === 'message') for (const part of entry.message.content) if (part.type === 'text') encodeURIComponent(part.text);
      return everything(request);
    }),
  ),
  hostile('stalls', 'load', 'stalls', () => ({ plan: stalling })),
  hostile(
    'knows-all-fields',
    'unknown-fields',
    'unknown-field',
    plansWith((request) => {
      const known = new Set([
        'session',
        'branch',
        'newestUserEntry',
        'budget',
        'purpose',
        'query',
        'signal',
        'deadlineMs',
        'rejected',
        'violations',
      ]);
      const strange = Object.keys(request).find((key) => !known.has(key));
      if (strange !== undefined) throw new Error(`what is ${strange}?`);
      return everything(request);
    }),
  ),
];
