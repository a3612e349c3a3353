import type { Artifact, Draft, Entry, EntryId, Log, SessionId } from '@palimpsest/contracts';
import { filled, spareAny, type Fresh } from '../session/filled.ts';
import type { StoreAccess } from './access.ts';
import type { Renaming } from './renamed.ts';
import { renamed } from './renamed.ts';

const BATCH_ENTRIES = 200;
const BATCH_CHARACTERS = 1_000_000;

/** Where a copy is written: a session whose lease is held. */
export interface CopyPlace {
  readonly session: SessionId;
  readonly fence: number;
}

/** Writes entries into a fresh session as they were: same tree, same times. Batches, each in one append. */
export class SessionCopy {
  readonly #log: Log;
  readonly #into: CopyPlace;
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

  constructor(log: Log, into: CopyPlace, name: Renaming) {
    this.#log = log;
    this.#into = into;
    this.#name = name;
  }

  /** Goes with the next append. What another session held is held by this one from now on, too. */
  hold(artifact: Artifact): void {
    this.#artifacts.push(artifact.session === null ? artifact : { ...artifact, session: this.#into.session });
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
    await this.#log.moveLeaf(this.#into.session, this.#leaf, this.#into.fence);
    this.#tip = entry;
  }

  async flush(): Promise<void> {
    if (this.#drafts.length === 0) return;
    const written = await this.#log.append({ ...this.#into, leaf: this.#leaf, entries: this.#drafts, artifacts: this.#artifacts });
    this.#leaf = written.at(-1)?.id ?? this.#leaf;
    [this.#drafts, this.#artifacts, this.#characters] = [[], [], 0];
  }
}

/**
 * A session that is written as a copy, under its lease. One that fails leaves nothing, and one that was killed is written again.
 * @throws SESSION_EXISTS when the store has it already; SESSION_BUSY while somebody else makes it.
 */
export async function copiedAfresh(
  access: StoreAccess,
  fresh: Fresh,
  name: Renaming,
  work: (copy: SessionCopy) => Promise<void>,
): Promise<SessionCopy> {
  return filled(access, fresh, spareAny, async (fence) => {
    const copy = new SessionCopy(access.store.log, { session: fresh.id, fence }, name);
    await work(copy);
    return copy;
  });
}
