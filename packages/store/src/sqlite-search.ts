import type { Hit, Search, SessionId } from '@palimpsest/contracts';
import { assertLimit } from './bounds.ts';
import type { Link } from './link.ts';

export class SqliteSearch implements Search {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  async query(ask: { readonly text: string; readonly session?: SessionId; readonly limit: number }): Promise<readonly Hit[]> {
    assertLimit(ask.limit);
    return await this.#link.call('query', ask.text, ask.session ?? null, ask.limit);
  }
}
