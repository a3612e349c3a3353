import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '@palimpsest/contracts';
import { makeFolder } from '../adapters/disk.ts';
import { writeWhole } from '../adapters/write-whole.ts';
import type { Dumped } from './report.ts';

/** As requests are numbered, and as the folders of sessions are. */
const REQUEST = /^(?:\d{6}|[1-9]\d{6,})\.json$/u;
const SESSION = /^(?:\d{4}|[1-9]\d{4,})$/u;

/** Writes each request's body, exactly as it would be sent, to a file of its own. In the end no request of an earlier run is left among them. */
export class RequestDump {
  readonly #folder: string;
  readonly #written = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the requests of a session go; null: the file has one alone. @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
  async open(session: number | null): Promise<SessionDump> {
    const path = session === null ? this.#folder : join(this.#folder, String(session).padStart(4, '0'));
    await told(path, () => makeFolder(path));
    return {
      write: async (step, body) => {
        const file = join(path, `${String(step).padStart(6, '0')}.json`);
        this.#written.add(file);
        await writeWhole(file, [body]);
      },
    };
  }

  /** After a run that failed before it wrote anything, the earlier one stays. */
  async failed(): Promise<void> {
    if (this.#written.size > 0) await this.end();
  }

  /** @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
  async end(): Promise<Dumped> {
    return told(this.#folder, async () => {
      const inside = (await readdir(this.#folder, { withFileTypes: true })).filter(
        (entry) => entry.isDirectory() && SESSION.test(entry.name),
      );
      let removed = await this.#cleared(this.#folder);
      for (const { name } of inside) removed += await this.#clearedSession(join(this.#folder, name));
      return { folder: this.#folder, requests: this.#written.size, removed };
    });
  }

  async #clearedSession(folder: string): Promise<number> {
    const removed = await this.#cleared(folder);
    if (removed > 0 && (await readdir(folder)).length === 0) await rmdir(folder);
    return removed;
  }

  async #cleared(folder: string): Promise<number> {
    const files = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && REQUEST.test(entry.name))
      .map(({ name }) => join(folder, name));
    const old = files.filter((file) => !this.#written.has(file));
    for (const file of old) await rm(file);
    return old.length;
  }
}

export interface SessionDump {
  /** @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
  write(step: number, body: string): Promise<void>;
}

async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}
