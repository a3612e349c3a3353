/** Rendering, counting and judging for tests of the kernel alone: four characters are a token, and messages are sent as they are. */
import { markAt } from '@palimpsest/contracts';
import type { Budget, Budgeting, Message, RenderAsk, RenderBlock, Renderer, TokenCounter } from '@palimpsest/contracts';

const countOf = (text: string): number => Math.ceil(text.length / 4);

export const fourCharacters: TokenCounter = {
  count: (text) => Promise.resolve(countOf(text)),
  countNow: countOf,
  estimate: countOf,
  close: () => Promise.resolve(),
};

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const providerOf = (route: string): string => route.slice(route.indexOf(':') + 1).split('/')[0] ?? '';

/** What is sent of a message: opaque parts on the route of their provider only. */
function sent(message: Message, keeps: (provider: string) => boolean): Message {
  return message.role === 'assistant'
    ? { role: 'assistant', content: message.content.filter((part) => part.type !== 'opaque' || keeps(part.provider)) }
    : message;
}

export const plainRenderer: Renderer = {
  version: 'plain',
  countable: (message, route) => {
    const content = sent(message, (provider) => route !== undefined && provider === providerOf(route)).content;
    return {
      text: content.length === 0 ? '' : JSON.stringify(content.filter(({ type }) => type !== 'image')),
      images: content.filter(({ type }) => type === 'image').length,
    };
  },
  countablePrompt: (system, tools) => ({ system, tools: JSON.stringify(tools) }),
  summaryText: (text) => `[summary] ${text}`,
  noteText: (by, text) => `[${by}] ${text}`,
  render: async (ask) => {
    const messages: Message[] = [];
    for (const block of ask.blocks) messages.push(...(await messagesOf(block, ask)));
    return { route: ask.route, system: ask.system, tools: ask.tools, messages, settings: ask.settings };
  },
};

async function messagesOf(block: RenderBlock, ask: RenderAsk): Promise<readonly Message[]> {
  if (block.kind === 'summary')
    return [
      user(
        plainRenderer.summaryText(
          'inline' in block.segment.text ? block.segment.text.inline : await ask.artifact(block.segment.text.artifact),
        ),
      ),
    ];
  const { entry } = block.placed;
  if (entry.kind === 'custom' && entry.shown !== null) return [user(plainRenderer.noteText(entry.by, entry.shown))];
  return entry.kind === 'message'
    ? [sent(entry.message, (provider) => entry.seq > ask.opaqueAfterSeq && provider === providerOf(ask.route))]
    : [];
}

/** The window less a tenth; marks at even shares of it. */
export const evenBudgeting: Budgeting = {
  effective: ({ limits, fixed }): Budget => {
    const effective = Math.floor(limits.window.tokens * 0.9);
    const share = (part: number): number => Math.floor(effective * part);
    return {
      window: limits.window,
      reserve: { tokens: limits.window.tokens - effective, origin: 'client-default' },
      inputCap: null,
      effective,
      fixed,
      available: Math.max(0, effective - fixed.total),
      marks: { low: share(0.4), prepare: share(0.5), start: share(0.6), hard: share(0.8) },
    };
  },
  judge: (parts, budget, metric) => {
    const tokens = Object.values(parts).reduce((sum, part) => sum + part, 0);
    return { tokens, mark: markAt(tokens, budget), metric, parts };
  },
  gauge: (branchTokens, incomingTokens, budget) =>
    evenBudgeting.judge({ fixed: budget.fixed.total, branch: branchTokens, incoming: incomingTokens }, budget, 'estimate'),
};
