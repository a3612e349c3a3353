/**
 * Keys that are no keys (any more) and the key that does their work. Two kinds: what earlier versions of this file took, and what other
 * programs call it. Every spelling style matches (`keepRecentTokens` is `keep_recent_tokens`); `<name>` matches any key, in place and in use.
 */
import { dotted, type Path } from './dotted-path.ts';
import { plainKey } from './nearest-key.ts';

export interface MovedKey {
  /** Where it is written. */
  readonly path: string;
  /** The key that exists and does this. */
  readonly use: string;
  /** `removed`: it was a key of this file once. `elsewhere`: it never was, other programs have it. */
  readonly kind: 'removed' | 'elsewhere';
  /** What to mind beside the new name. */
  readonly note?: string;
}

const removed: readonly MovedKey[] = [];

const elsewhere: readonly MovedKey[] = (
  [
    // Hermes
    ['model', 'models', 'each model has a name, and agent.model picks one'],
    ['model.default', 'models.<name>.model'],
    ['model.model', 'models.<name>.model'],
    ['model.provider', 'models.<name>.provider'],
    ['model.base_url', 'models.<name>.base_url'],
    ['model.api_key', 'models.<name>.api_key'],
    ['model.context_length', 'models.<name>.window_tokens'],
    ['model.ollama_num_ctx', 'models.<name>.window_tokens'],
    ['model.max_tokens', 'models.<name>.max_output_tokens'],
    ['models.<name>.default', 'models.<name>.model'],
    ['models.<name>.context_length', 'models.<name>.window_tokens'],
    ['models.<name>.max_tokens', 'models.<name>.max_output_tokens'],
    ['agent.max_turns', 'agent.max_steps'],
    ['max_turns', 'agent.max_steps'],
    ['agent.system_prompt', 'prompt.system'],
    // pi and its relatives
    ['default_provider', 'models.<name>.provider'],
    ['default_model', 'agent.model', 'a name under models'],
    ['models.<name>.context_window', 'models.<name>.window_tokens'],
    ['compaction.enabled', 'compaction.strategy', 'off, or context-full'],
    ['compaction.threshold_percent', 'compression.threshold', 'a share of 1, of what the answer leaves of the window'],
    ['compaction.threshold_tokens', 'budget.marks.start'],
    ['compaction.reserve_tokens', 'models.<name>.max_output_tokens', 'what is kept free is the output limit'],
  ] as const
).map(([path, use, note]) => ({ path, use, kind: 'elsewhere', ...(note === undefined ? {} : { note }) }));

export const MOVED_KEYS: readonly MovedKey[] = [...removed, ...elsewhere];

/** What to say of a key that the schema does not know. */
export interface Moved {
  readonly problem: string;
  /** The key to use, with the names that were written. */
  readonly use: string;
}

/** Null: the table does not name the key at `path`. */
export function movedKey(path: Path, table: readonly MovedKey[] = MOVED_KEYS): Moved | null {
  for (const { path: pattern, use, kind, note } of table) {
    const name = matched(path, pattern.split('.'));
    if (name === null) continue;
    const target = use.split('.').map((step) => (step === NAME ? name : step));
    const place = target.includes(NAME) ? use : dotted(target);
    return {
      problem: `${kind === 'removed' ? 'was removed; use' : 'is not a key here; its place is'} ${place}${note === undefined ? '' : ` (${note})`}`,
      use: place,
    };
  }
  return null;
}

const NAME = '<name>';

/** What stands for `<name>`, or `<name>` itself where the pattern has none; null: no match. */
function matched(path: Path, pattern: readonly string[]): string | null {
  if (path.length !== pattern.length) return null;
  let name = NAME;
  for (const [index, step] of pattern.entries()) {
    const written = String(path[index]);
    if (step === NAME) name = written;
    else if (plainKey(written) !== step) return null;
  }
  return name;
}
