import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, messageOf, type PalimpsestError } from '@palimpsest/contracts';

/** Writes each request's body, exactly as it would be sent, to a file of its own. */
export class RequestDump {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws USAGE_INVALID when the folder cannot be made. */
  static async open(folder: string, session: number | null): Promise<RequestDump> {
    const path = session === null ? folder : join(folder, String(session).padStart(4, '0'));
    try {
      await mkdir(path, { recursive: true });
    } catch (cause) {
      throw refused(path, cause);
    }
    return new RequestDump(path);
  }

  /** @throws USAGE_INVALID when the file cannot be written. */
  async write(step: number, body: string): Promise<void> {
    const path = join(this.#folder, `${String(step).padStart(6, '0')}.json`);
    await writeFile(path, body).catch((cause: unknown) => { throw refused(path, cause); });
  }
}

function refused(path: string, cause: unknown): PalimpsestError {
  return errors.usageInvalid(`cannot write request bodies to ${path}: ${messageOf(cause)}`);
}
