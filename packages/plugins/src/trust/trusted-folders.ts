import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { errors, messageOf } from '@palimpsest/contracts';
import type { TrustPolicy } from '../resolve-engine.ts';
import { folderHash } from './folder-hash.ts';

/** Folder (its real path) → content hash at the time it was trusted. */
const trustFile = z.strictObject({ version: z.literal(1), folders: z.record(z.string(), z.string()) });

/**
 * What a person has trusted, in a file of the user's folder: a repository cannot bring it along. A folder counts as long as its content
 * is what it was; a file that cannot be read trusts nothing.
 */
export class TrustedFolders {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** For the resolution of engines. */
  readonly policy: TrustPolicy = async (folder) => {
    const known = (await this.#read())[folder];
    if (known === undefined) return 'not trusted';
    return known === (await folderHash(folder)) ? true : 'changed since it was trusted';
  };

  /** Trusts the folder as it is now. Answers its hash. @throws PLUGIN_UNREADABLE, TRUST_FILE_INVALID. */
  async trust(folder: string): Promise<string> {
    const hash = await folderHash(folder);
    await this.#write({ ...(await this.#read()), [folder]: hash });
    return hash;
  }

  /** False: it was not trusted. @throws TRUST_FILE_INVALID. */
  async forget(folder: string): Promise<boolean> {
    const { [folder]: known, ...rest } = await this.#read();
    if (known !== undefined) await this.#write(rest);
    return known !== undefined;
  }

  /** Real paths of what was trusted, changed since or not. @throws TRUST_FILE_INVALID. */
  async folders(): Promise<readonly string[]> {
    return Object.keys(await this.#read());
  }

  async #read(): Promise<Readonly<Record<string, string>>> {
    try {
      return trustFile.parse(JSON.parse(await readFile(this.#file, 'utf8'))).folders;
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return {};
      throw errors.trustFileInvalid(this.#file, messageOf(thrown));
    }
  }

  /** Whole or not at all: the new file takes the old one's place, at the end of a link. */
  async #write(folders: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const place = await realpath(this.#file).catch(() => this.#file);
    const fresh = `${place}.${String(process.pid)}`;
    try {
      await writeFile(fresh, `${JSON.stringify({ version: 1, folders }, null, 2)}\n`, { mode: 0o600 });
      await rename(fresh, place);
    } finally {
      await rm(fresh, { force: true });
    }
  }
}
