import { reducedMessage } from '@palimpsest/contracts';
import type { EntryId, Message, Placed, Rendered, RenderAsk, RenderBlock, Renderer, ToolSchema } from '@palimpsest/contracts';
import { chatForm, chatSystem, chatTools } from './chat-form.ts';
import { cleanText } from './clean.ts';
import { framedNote, framedSummary, OPENING } from './framing.ts';
import { sendable, sendableSchema, type KeepsOpaque } from './sendable.ts';

interface Made { readonly message: Message; readonly origin: EntryId; readonly shape: string; readonly tokens: number }

/** Renders block by block, in order; nothing is added before the newest entry but the one fixed opening. */
export class PlanRenderer implements Renderer {
  /** Part of every step record: the same plan gives the same bytes as long as it is unchanged. */
  readonly version = '1';

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

  async render(ask: RenderAsk): Promise<Rendered> {
    const made: Made[] = [];
    for await (const block of ask.blocks) {
      const next = await this.block(block, ask);
      if (next !== null) made.push(next);
    }
    const messages = made.map(({ message }) => message);
    if (messages[0]?.role !== 'user') messages.unshift(userText(OPENING));
    return {
      request: { route: ask.route, system: cleanText(ask.system), tools: ask.tools.map(sendableSchema), messages, settings: ask.settings },
      blocks: made.map(({ origin, shape, tokens }) => ({ origin, shape, tokens })),
    };
  }

  private async block(block: RenderBlock, ask: RenderAsk): Promise<Made | null> {
    if (block.kind === 'entry') return rendered(block.placed, ask);
    const { text, tokens } = block.segment;
    const body = 'inline' in text ? text.inline : await ask.artifact(text.artifact);
    return { message: userText(this.summaryText(body)), origin: block.through, shape: 'summary', tokens };
  }
}

function rendered(placed: Placed, ask: RenderAsk): Made | null {
  const { entry, shape, shownTokens: tokens } = placed;
  if (shape.kind === 'silent' || shape.kind === 'covered') return null;
  if (entry.kind === 'custom' && entry.shown !== null) return { message: userText(framedNote(entry.by, cleanText(entry.shown))), origin: entry.id, shape: 'note', tokens };
  if (entry.kind === 'branch-summary') return { message: userText(framedSummary(cleanText(entry.summary))), origin: entry.id, shape: 'summary', tokens };
  if (entry.kind !== 'message') return null;
  const keeps: KeepsOpaque = (provider) => entry.seq > ask.opaqueAfterSeq && provider === providerOf(ask.route);
  const message = sendable(shape.kind === 'reduced' ? reducedMessage(entry.message, shape.items) : entry.message, keeps);
  return message === null ? null : { message, origin: entry.id, shape: shape.kind, tokens };
}

function userText(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** `wire:provider/model` → provider. */
export function providerOf(route: string): string {
  return route.slice(route.indexOf(':') + 1).split('/')[0] ?? '';
}
