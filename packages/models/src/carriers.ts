/**
 * How a provider's opaque reasoning travels through its provider package. The bytes we keep are the wire's own block or item as JSON;
 * the package carries it as a `reasoning` part whose provider options hold the signature or the encrypted blob.
 */
import type { LanguageModelV4ReasoningPart } from '@ai-sdk/provider';
import type { OpaquePart, WireName } from '@palimpsest/contracts';
import { z } from 'zod';

const thinking = z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redacted = z.object({ type: z.literal('redacted_thinking'), data: z.string() });
const reasoningItem = z.object({
  type: z.literal('reasoning'),
  id: z.string().exactOptional(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().exactOptional(),
});
export type ReasoningItem = z.infer<typeof reasoningItem>;
const block = z.discriminatedUnion('type', [thinking, redacted, reasoningItem]);
export type ReasoningBlock = z.infer<typeof block>;

/** One opaque part for one block of the wire. */
export function opaqueOf(provider: string, value: ReasoningBlock): OpaquePart {
  return { type: 'opaque', provider, format: value.type, bytes: JSON.stringify(value) };
}

/** The parts that make the provider package write the block again, or none where this wire has no carrier for it. */
export function carrierOf(part: OpaquePart, wire: WireName): LanguageModelV4ReasoningPart[] {
  const parsed = block.safeParse(parsedJson(part.bytes));
  if (!parsed.success) return [];
  if (parsed.data.type === 'reasoning') return wire === 'openai-responses' ? itemCarrier(parsed.data) : [];
  if (wire !== 'anthropic') return [];
  return [
    parsed.data.type === 'thinking'
      ? { type: 'reasoning', text: parsed.data.thinking, providerOptions: { anthropic: { signature: parsed.data.signature } } }
      : { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: parsed.data.data } } },
  ];
}

/** One part per summary, all under the item's id; an item without a summary is one empty part. */
function itemCarrier(item: ReasoningItem): LanguageModelV4ReasoningPart[] {
  const openai = {
    ...(item.id === undefined ? {} : { itemId: item.id }),
    ...(item.encrypted_content === undefined ? {} : { reasoningEncryptedContent: item.encrypted_content }),
  };
  const texts = item.summary.length === 0 ? [''] : item.summary.map(({ text }) => text);
  return texts.map((text) => ({ type: 'reasoning', text, providerOptions: { openai } }));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
