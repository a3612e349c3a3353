import { createHash } from 'node:crypto';
import type { Message, ModelRequest, View } from '@palimpsest/contracts';

/** Follows a session's requests: how much of each was sent before, and whether the prefix held where nothing said it would break. */
export class PrefixWatch {
  stable = true;
  #last: readonly string[] = [];
  readonly #digests = new WeakMap<Message, string>();

  /** Tokens of this request that a prompt cache would have, by the blocks of its view. */
  see(request: ModelRequest, view: View): { readonly cacheReadTokens: number } {
    const now = [
      digest(request.system),
      digest(JSON.stringify(request.tools)),
      ...request.messages.map((message) => this.#digest(message)),
    ];
    const same = now.findIndex((one, index) => one !== this.#last[index]);
    const shared = same < 0 ? now.length : same;
    if (view.breakReason === null && shared < this.#last.length) this.stable = false;
    const first = this.#last.length === 0;
    this.#last = now;
    return { cacheReadTokens: first || shared < 2 ? 0 : sharedTokens(view, shared - 2, request.messages.length) };
  }

  #digest(message: Message): string {
    const known = this.#digests.get(message);
    if (known !== undefined) return known;
    const made = digest(JSON.stringify(message));
    this.#digests.set(message, made);
    return made;
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** Messages stand for the view's blocks one to one, but for an opening line in front and blocks that render to nothing. */
function sharedTokens(view: View, messages: number, all: number): number {
  const { fixed } = view.budget;
  const shown = view.blocks.filter((block) => block.tokens > 0);
  const offset = Math.max(0, all - shown.length);
  const blocks = shown.slice(0, Math.max(0, messages - offset));
  return fixed.system + fixed.tools + blocks.reduce((sum, block) => sum + block.tokens, 0);
}
