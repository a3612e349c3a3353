import { join } from 'node:path';
import { unwritable } from '@palimpsest/contracts';
import { makeFolder } from '../adapters/disk.ts';
import { writeWhole } from '../adapters/write-whole.ts';

/** Writes each request's body, exactly as it would be sent, to a file of its own. */
export class RequestDump {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
  static async open(folder: string, session: number | null): Promise<RequestDump> {
    const path = session === null ? folder : join(folder, String(session).padStart(4, '0'));
    try {
      await makeFolder(path);
    } catch (cause) {
      throw unwritable(path, cause);
    }
    return new RequestDump(path);
  }

  /** @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
  async write(step: number, body: string): Promise<void> {
    await writeWhole(join(this.#folder, `${String(step).padStart(6, '0')}.json`), [body]);
  }
}
