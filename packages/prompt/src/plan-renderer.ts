import { reducedMessage } from '@palimpsest/contracts';
import type { Message, ModelRequest, Placed, RenderAsk, RenderBlock, Renderer, ToolSchema } from '@palimpsest/contracts';
import { CallIds } from './call-ids.ts';
import { chatForm, chatSystem, chatTools } from './chat-form.ts';
import { cleanText } from './clean.ts';
import { framedNote, framedSummary, OPENING } from './framing.ts';
import { sendable, sendableSchema, type KeepsOpaque } from './sendable.ts';

/** Blocks rendered at a stretch: a millisecond or so. */
const STRETCH = 256;

/** Renders block by block, in order; nothing is added before the newest entry but the one fixed opening. */
export class PlanRenderer implements Renderer {
  /** Part of every step record: the same plan gives the same bytes as long as it is unchanged. */
  readonly version = '2';

  countable(message: Message, route?: string): { readonly text: string; readonly images: number } {
    const sent = sendable(message, (provider) => route !== undefined && provider === providerOf(route));
    return sent === null ? { text: '', images: 0 } : chatForm(sent);
  }

  countablePrompt(system: string, tools: readonly ToolSchema[]): { readonly system: string; readonly tools: string } {
    return { system: chatSystem(cleanText(system)), tools: chatTools(tools.map(sendableSchema)) };
  }

  summaryText(text: string): string {
    return framedSummary(cleanText(text));
  }

  noteText(by: string, text: string): string {
    return framedNote(by, cleanText(text));
  }

  async render(ask: RenderAsk): Promise<ModelRequest> {
    const messages: Message[] = [];
    const ids = new CallIds();
    let opensWithUser = false;
    for (const [at, block] of ask.blocks.entries()) {
      if (at % STRETCH === STRETCH - 1) await ask.pause?.();
      const message = block.kind === 'entry' ? rendered(block.placed, ask, ids) : await this.summary(block, ask);
      if (at === 0) opensWithUser = message?.role === 'user';
      if (message !== null) messages.push(message);
    }
    // By the first block alone, which may render to nothing: whatever comes behind it, the beginning stays the same.
    if (!opensWithUser) messages.unshift(userText(OPENING));
    return { route: ask.route, system: cleanText(ask.system), tools: ask.tools.map(sendableSchema), messages, settings: ask.settings };
  }

  private async summary({ segment: { text } }: RenderBlock & { kind: 'summary' }, ask: RenderAsk): Promise<Message> {
    return userText(this.summaryText('inline' in text ? text.inline : await ask.artifact(text.artifact)));
  }
}

function rendered({ entry, shape }: Placed, ask: RenderAsk, ids: CallIds): Message | null {
  if (shape.kind === 'silent' || shape.kind === 'covered') return null;
  if (entry.kind === 'custom' && entry.shown !== null) return userText(framedNote(entry.by, cleanText(entry.shown)));
  if (entry.kind === 'branch-summary') return userText(framedSummary(cleanText(entry.summary)));
  if (entry.kind !== 'message') return null;
  const keeps: KeepsOpaque = (provider) => entry.seq > ask.opaqueAfterSeq && provider === providerOf(ask.route);
  return sendable(ids.named(shape.kind === 'reduced' ? reducedMessage(entry.message, shape.items) : entry.message), keeps);
}

function userText(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** `wire:provider/model` → provider. */
export function providerOf(route: string): string {
  return route.slice(route.indexOf(':') + 1).split('/')[0] ?? '';
}
