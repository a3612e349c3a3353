import { LOG, sessionToken } from '@palimpsest/contracts';
import type { Entry, Log } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';

/** What a person said exists nowhere else: it has to be on disk before anything follows from it. All else can be made again. */
export class InputOnDisk {
  private behind = false;

  constructor(@inject(LOG) private readonly log: Log) {}

  wrote(entries: readonly Entry[]): void {
    this.behind ||= entries.some((entry) => entry.kind === 'message' && entry.origin === 'user_input');
  }

  /** Resolves once all that a person said is on disk. @throws STORE_*. */
  async flush(): Promise<void> {
    if (!this.behind) return;
    this.behind = false;
    await this.log.flush().catch((error: unknown) => {
      this.behind = true;
      throw error;
    });
  }
}

export const INPUT_ON_DISK = sessionToken<InputOnDisk>('kernel.input-on-disk');
