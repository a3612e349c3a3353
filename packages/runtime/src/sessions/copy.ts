import type { Artifact, Draft, Entry, EntryId, Log, SessionId } from '@palimpsest/contracts';
import type { Renaming } from './renamed.ts';
import { renamed } from './renamed.ts';

const BATCH_ENTRIES = 200;
const BATCH_CHARACTERS = 1_000_000;

/** Writes entries into a fresh session as they were: same tree, same times. Batches, each in one append. */
export class SessionCopy {
  readonly #log: Log;
  readonly #session: SessionId;
  readonly #name: Renaming;
  readonly #known = new Set<EntryId>();
  #leaf: EntryId | null = null;
  #tip: EntryId | null = null;
  #drafts: Draft[] = [];
  #artifacts: Artifact[] = [];
  #characters = 0;
  /** Some entry stands at another `seq` than before. */
  renumbered = false;
  entries = 0;

  constructor(log: Log, session: SessionId, name: Renaming) {
    this.#log = log;
    this.#session = session;
    this.#name = name;
  }

  /** Goes with the next append. What another session held is held by this one from now on, too. */
  hold(artifact: Artifact): void {
    this.#artifacts.push(artifact.session === null ? artifact : { ...artifact, session: this.#session });
    this.#characters += artifact.body.length;
  }

  /** Under its own parent; an entry whose parent is not copied becomes a root. */
  async add(entry: Entry): Promise<void> {
    const parent = entry.parent === null || !this.#known.has(entry.parent) ? null : entry.parent;
    if (parent !== this.#tip) await this.moveTo(parent);
    const draft = renamed(entry, this.#name);
    this.#drafts.push(draft);
    this.#characters += JSON.stringify(draft).length;
    this.#known.add(entry.id);
    this.#tip = entry.id;
    this.entries += 1;
    if (entry.seq !== this.entries) this.renumbered = true;
    if (this.#drafts.length >= BATCH_ENTRIES || this.#characters >= BATCH_CHARACTERS) await this.flush();
  }

  /** By its old name. One that was not copied: the leaf stays. */
  async moveTo(entry: EntryId | null): Promise<void> {
    await this.flush();
    if (entry === this.#tip || (entry !== null && !this.#known.has(entry))) return;
    this.#leaf = entry === null ? null : this.#name(entry);
    await this.#log.moveLeaf(this.#session, this.#leaf, null);
    this.#tip = entry;
  }

  async flush(): Promise<void> {
    if (this.#drafts.length === 0) return;
    const written = await this.#log.append({ session: this.#session, leaf: this.#leaf, fence: null, entries: this.#drafts, artifacts: this.#artifacts });
    this.#leaf = written.at(-1)?.id ?? this.#leaf;
    [this.#drafts, this.#artifacts, this.#characters] = [[], [], 0];
  }
}
