import { ENGINE_CONTRACT_VERSION } from '@palimpsest/contracts';
import type {
  Artifact,
  Artifacts,
  Clock,
  EngineHost,
  Json,
  Message,
  Renderer,
  Search,
  SessionId,
  Summary,
  TokenCounter,
} from '@palimpsest/contracts';
import { structuredSummary } from '@palimpsest/engine-compressor';
import { artifactIdOf } from '@palimpsest/kernel';
import { DerivedMap } from './derived-map.ts';
import { seededChance } from './seeded-chance.ts';

export interface EngineHostParts {
  readonly session: SessionId;
  readonly options: unknown;
  readonly clock: Clock;
  readonly counter: TokenCounter;
  readonly renderer: Renderer;
  readonly artifacts: Artifacts;
  readonly search: Search;
  readonly log: EngineHost['log'];
}

/** All that an engine is given. No summariser model is wired yet: `summarize` answers with the deterministic summary, and `granted` does not name it. */
export function engineHost(parts: EngineHostParts): EngineHost<never> {
  const { counter, session, artifacts } = parts;
  const count = (text: string): number => counter.countNow(text);
  const block = (text: string): number => count(parts.renderer.countable(userText(parts.renderer.summaryText(text))).text);
  const host: EngineHost = {
    options: parts.options,
    session,
    now: () => parts.clock.now(),
    random: seededChance(session),
    pause: () => parts.clock.pause(),
    log: parts.log,
    tokens: { count, block },
    summarize: async (ask) => {
      await parts.clock.pause();
      return summarize(ask, block);
    },
    artifacts: {
      make: (kind, body, source, madeBy: Json): Artifact => ({
        id: artifactIdOf(kind, body),
        kind,
        session,
        body,
        source,
        madeBy,
        tokens: count(body),
      }),
      get: (id) => artifacts.get(id),
    },
    derived: new DerivedMap(),
    search: (text, limit) => parts.search.query({ text, session, limit }),
    info: { contract: ENGINE_CONTRACT_VERSION, product: 'palimpsest', granted: [] },
  };
  return Object.freeze(host) as EngineHost<never>;
}

type Ask = Parameters<EngineHost['summarize']>[0];

async function summarize({ source, prior, focus, maxTokens, signal }: Ask, count: (text: string) => number): Promise<Summary> {
  signal.throwIfAborted();
  const text = structuredSummary({ source, prior: prior ?? null, focus: focus ?? null, maxTokens, count });
  return Promise.resolve({ text, quality: 'extract', model: null, tokens: count(text) });
}

function userText(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
