/**
 * Reasoning parts. What a provider needs back stands in the part's options: it becomes the provider's own block again, so that it can
 * be sent as that provider wrote it.
 */
import type { AssistantPart, Json } from '@palimpsest/contracts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';

export interface Reasoning {
  readonly parts: AssistantPart[];
  readonly signed: boolean;
}

const optionsOf = (part: JsonObject): JsonObject =>
  objectOf(part['providerOptions']) ??
  objectOf(part['providerMetadata']) ??
  objectOf(part['experimental_providerMetadata']) ??
  objectOf(part['metadata']) ??
  {};

/** Successive parts of one item of the Responses API are one reasoning; each other part is one by itself. */
export function groupReasoning(parts: readonly JsonObject[]): JsonObject[][] {
  const groups: JsonObject[][] = [];
  for (const part of parts) {
    const id = itemOf(part)?.id ?? null;
    const last = groups.at(-1)?.[0];
    if (id !== null && last !== undefined && itemOf(last)?.id === id) groups.at(-1)?.push(part);
    else groups.push([part]);
  }
  return groups;
}

export function readReasoning(group: readonly JsonObject[]): Reasoning {
  const text = group
    .map(textIn)
    .filter((one) => !isBlank(one))
    .join('\n\n');
  const opaque = sealed(group);
  return { parts: [...(text === '' ? [] : [{ type: 'reasoning' as const, text }]), ...opaque], signed: opaque.length > 0 };
}

/** v4 kept the text in `reasoning` and the signed pieces in `details`. */
function textIn(part: JsonObject): string {
  return (
    textOf(part['text']) ??
    textOf(part['reasoning']) ??
    detailsOf(part)
      .map((one) => textOf(one['text']) ?? '')
      .join('')
  );
}
const detailsOf = (part: JsonObject): JsonObject[] => (listOf(part['details']) ?? []).map(objectOf).filter((one) => one !== null);

function sealed(group: readonly JsonObject[]): AssistantPart[] {
  const [first] = group;
  if (first === undefined) return [];
  const item = itemOf(first);
  if (item !== null) return [reasoningItem(item, group)];
  return [first, ...detailsOf(first)].flatMap((part) => own(part));
}

/** v4: `signature` in the part itself, redacted data as a part of its own. */
function own(part: JsonObject): AssistantPart[] {
  const signature = nameOf(part['signature']);
  if (signature !== null) return [thinking('anthropic', textOf(part['text']) ?? '', signature)];
  if (part['type'] === 'redacted-reasoning' || part['type'] === 'redacted') return [redacted('anthropic', textOf(part['data']) ?? '')];
  return Object.entries(optionsOf(part)).flatMap(([provider, options]) => fromOptions(provider, objectOf(options) ?? {}, part));
}

function fromOptions(provider: string, options: JsonObject, part: JsonObject): AssistantPart[] {
  const signature = nameOf(options['signature']);
  const data = nameOf(options['redactedData']);
  if (signature !== null) return [thinking(provider, textOf(part['text']) ?? '', signature)];
  if (data !== null) return [redacted(provider, data)];
  return SEALS.some((key) => nameOf(options[key]) !== null)
    ? [{ type: 'opaque', provider, format: 'reasoning', bytes: stringify(part) }]
    : [];
}
const SEALS = ['thoughtSignature', 'encryptedContent', 'reasoningEncryptedContent', 'reasoning_details', 'data'];

const block = (provider: string, format: string, value: JsonObject): AssistantPart => ({
  type: 'opaque',
  provider,
  format,
  bytes: stringify(value),
});
const thinking = (provider: string, text: string, signature: string): AssistantPart =>
  block(provider, 'thinking', { type: 'thinking', thinking: text, signature });
const redacted = (provider: string, data: string): AssistantPart =>
  block(provider, 'redacted_thinking', { type: 'redacted_thinking', data });

interface Item {
  readonly provider: string;
  readonly id: string | null;
  readonly encrypted: string | null;
}
function itemOf(part: JsonObject): Item | null {
  for (const [provider, value] of Object.entries(optionsOf(part))) {
    const options = objectOf(value) ?? {};
    const id = nameOf(options['itemId']);
    const encrypted = nameOf(options['reasoningEncryptedContent']);
    if (id !== null || encrypted !== null) return { provider, id, encrypted };
  }
  return null;
}

function reasoningItem({ provider, id }: Item, group: readonly JsonObject[]): AssistantPart {
  const encrypted = group.map((part) => itemOf(part)?.encrypted ?? null).find((one) => one !== null) ?? null;
  const summary: Json[] = group
    .map(textIn)
    .filter((text) => text !== '')
    .map((text) => ({ type: 'summary_text', text }));
  return block(provider, 'reasoning', {
    type: 'reasoning',
    ...(id === null ? {} : { id }),
    summary,
    ...(encrypted === null ? {} : { encrypted_content: encrypted }),
  });
}

/** Signatures of thoughts beside texts and calls: only their provider can use them. */
export function thoughtOptions(part: JsonObject): { providerOptions?: Record<string, Record<string, Json>> } {
  const kept = Object.entries(optionsOf(part)).flatMap(([provider, options]): [string, Record<string, Json>][] => {
    const thoughtSignature = nameOf(objectOf(options)?.['thoughtSignature']);
    return thoughtSignature === null ? [] : [[provider, { thoughtSignature }]];
  });
  return kept.length === 0 ? {} : { providerOptions: Object.fromEntries(kept) };
}
