/** What an engine is given, with what a check changes of it. */
import type { EngineHost, PlanViolation, Summary } from '@palimpsest/contracts';

export interface Bend {
  /** Stands in for the host's summariser. */
  summarize?: (ask: Parameters<EngineHost['summarize']>[0], usual: EngineHost['summarize']) => Promise<Summary>;
  /** Fields that a later minor version might add to a request. */
  unknownFields?: object;
  /** What a plan is told to have broken. */
  rejected?: readonly PlanViolation[];
  now?: () => number;
  random?: () => number;
}

/** What came of it. */
export interface Traces {
  /** A model may have written what the engine shows. */
  isModelAtWork: boolean;
  /** What stands in the stores for indexes, by session and key; and how often they were written to. */
  readonly derived: Map<string, string>;
  derivedWrites: number;
}

export function bentHost(host: EngineHost, bend: Bend, traces: Traces): EngineHost {
  return Object.freeze({
    ...host,
    now: () => bend.now?.() ?? host.now(),
    random: () => bend.random?.() ?? host.random(),
    summarize: async (ask: Parameters<EngineHost['summarize']>[0]) => {
      const summary = await (bend.summarize === undefined ? host.summarize(ask) : bend.summarize(ask, host.summarize));
      traces.isModelAtWork ||= summary.quality === 'model' || summary.quality === 'tight';
      return summary;
    },
    derived: traced(host, traces),
  });
}

function traced({ session, derived }: EngineHost, traces: Traces): EngineHost['derived'] {
  return {
    get: (key) => derived.get(key),
    list: (prefix, limit) => derived.list(prefix, limit),
    set: async (key, value) => {
      await derived.set(key, value);
      traces.derivedWrites += 1;
      traces.derived.set(`${session} ${key}`, JSON.stringify(value));
    },
    clear: async () => {
      await derived.clear();
      traces.derivedWrites += 1;
      for (const key of traces.derived.keys()) if (key.startsWith(`${session} `)) traces.derived.delete(key);
    },
  };
}
