import type { LanguageModelV4Content, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Delta } from '@palimpsest/contracts';
import type { Ended } from './reply.ts';

type Block = { type: 'text' | 'reasoning'; text: string; providerMetadata?: SharedV4ProviderMetadata };
type BlockPart = Extract<LanguageModelV4StreamPart, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>;

/** Faults of one event: the provider may send kinds of event that its package does not know, and goes on. */
const eventFaults = new Set(['AI_TypeValidationError', 'AI_JSONParseError']);

/** Puts the pieces of one streamed answer together, in the order in which its blocks began. */
export class StreamAssembly {
  readonly content: LanguageModelV4Content[] = [];
  /** Set once the stream said how it ended. */
  ended: Ended | null = null;
  /** What the stream reported as an error. `fatal`: nothing can follow. */
  fault: { readonly error: unknown; readonly fatal: boolean } | null = null;
  readonly #open = new Map<string, Block>();
  readonly #onDelta: (delta: Delta) => void;

  constructor(onDelta: (delta: Delta) => void = () => undefined) {
    this.#onDelta = onDelta;
  }

  /** The text so far. */
  get text(): string {
    return this.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#takeBlock(part);
        return;
      case 'tool-input-delta':
        this.#onDelta({ type: 'tool-input-delta', callId: part.id, text: part.delta });
        return;
      case 'tool-call':
      case 'tool-result':
      case 'file':
        this.content.push(part);
        return;
      case 'error':
        this.#takeFault(part.error);
        return;
      case 'finish':
        this.ended = part;
        return;
      default:
    }
  }

  /** A block that is not open yet is opened by whatever comes: its signature may be all there is. */
  #takeBlock(part: BlockPart): void {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type}:${part.id}`;
    const block = part.type.endsWith('-start') ? this.#opened(key, type) : (this.#open.get(key) ?? this.#opened(key, type));
    if ('delta' in part && part.delta !== '') {
      block.text += part.delta;
      this.#onDelta({ type: `${type}-delta`, text: part.delta });
    }
    if (part.providerMetadata !== undefined) block.providerMetadata = mergedMetadata(block.providerMetadata, part.providerMetadata);
    if (part.type.endsWith('-end')) this.#open.delete(key);
  }

  #opened(key: string, type: Block['type']): Block {
    const block: Block = { type, text: '' };
    this.#open.set(key, block);
    this.content.push(block);
    return block;
  }

  #takeFault(error: unknown): void {
    const fatal = !(error instanceof Error && eventFaults.has(error.name));
    if (this.fault === null || (fatal && !this.fault.fatal)) this.fault = { error, fatal };
  }
}

/** Signatures and blobs come late, on a delta or on the end, and a null after them takes nothing away. */
function mergedMetadata(one: SharedV4ProviderMetadata | undefined, other: SharedV4ProviderMetadata): SharedV4ProviderMetadata {
  const merged: SharedV4ProviderMetadata = { ...one };
  for (const [provider, values] of Object.entries(other)) {
    merged[provider] = {
      ...merged[provider],
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)),
    };
  }
  return merged;
}
