/** A runtime's SQLite and tokenizer on the caller's own thread: the same files and figures, without two threads to start for each check. */
import { ARTIFACTS, CLOCK, hostToken, IDS, LEASES, LOG, SEARCH, TOKEN_COUNTER } from '@palimpsest/contracts';
import type { Store, StoreSettings, TokenCounter } from '@palimpsest/contracts';
import { countTokens, estimateTokens } from '@palimpsest/budget';
import { bind, defineModule, type Module } from '@palimpsest/runtime';
import { DirectLink } from '@palimpsest/store/direct';
import { SqliteStore } from '@palimpsest/store/sqlite';

const STORE = hostToken<Store>('conformance.store');

export function onOneThread(settings: StoreSettings): Module {
  return defineModule('conformance', [
    bind(STORE)
      .toFactory([CLOCK, IDS], (clock, ids) => new SqliteStore({ clock, ids, link: new DirectLink(settings) }))
      .closing((store) => store.close()),
    bind(LOG).toFactory([STORE], (store) => store.log),
    bind(ARTIFACTS).toFactory([STORE], (store) => store.artifacts),
    bind(LEASES).toFactory([STORE], (store) => store.leases),
    bind(SEARCH).toFactory([STORE], (store) => store.search),
    bind(TOKEN_COUNTER).toValue(counter),
  ]);
}

/** A text of more characters is counted from a sample where the host cannot wait. */
const NOW_EXACT_CHARACTERS = 64 * 1024;

const counter: TokenCounter = {
  count: (text) => Promise.resolve(countTokens(text, 'o200k_base')),
  countNow: (text) => countTokens(text, 'o200k_base', NOW_EXACT_CHARACTERS),
  estimate: estimateTokens,
  close: () => Promise.resolve(),
};
