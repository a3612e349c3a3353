import { errors } from '@palimpsest/contracts';
import type { EngineHost, Json } from '@palimpsest/contracts';

type Derived = EngineHost['derived'];

const MOST_CHARACTERS = 4_000_000;

/** An engine's derived store for as long as the session is open: everything in it can be rebuilt from the log. Bounded. */
export class DerivedMap implements Derived {
  readonly #values = new Map<string, string>();
  #characters = 0;

  get(key: string): Promise<Json | null> {
    const text = this.#values.get(key);
    return Promise.resolve(text === undefined ? null : (JSON.parse(text) as Json));
  }

  set(key: string, value: Json): Promise<void> {
    const text = JSON.stringify(value);
    const grown = this.#characters + text.length - (this.#values.get(key)?.length ?? 0);
    if (grown > MOST_CHARACTERS) return Promise.reject(errors.derivedStoreFull(key, MOST_CHARACTERS));
    this.#characters = grown;
    this.#values.set(key, text);
    return Promise.resolve();
  }

  list(prefix: string, limit: number): Promise<readonly string[]> {
    return Promise.resolve([...this.#values.keys()].filter((key) => key.startsWith(prefix)).slice(0, limit));
  }

  clear(): Promise<void> {
    this.#values.clear();
    this.#characters = 0;
    return Promise.resolve();
  }
}
