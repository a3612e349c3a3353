/** Texts that stand for stretches, each smaller than what it stands for. */
import type { Artifact, ArtifactId, EngineHost, Quality } from '@palimpsest/contracts';
import type { LcmOptions } from './options.ts';
import type { CoveredPiece, Piece } from './pieces.ts';
import { trustOf } from './trust.ts';

/** A node frees at least this share of its source, and at least so many tokens: a rewritten prefix has to pay. */
const LEAST_GAIN_RATIO = 0.1;
const LEAST_GAIN_TOKENS = 24;
const LEAST_NODE_TOKENS = 160;
const KIND = 'lcm_node';

export interface Node {
  readonly piece: CoveredPiece;
  readonly artifact: Artifact;
}
export interface WriteAsk {
  readonly focus: string | null;
  readonly signal: AbortSignal;
}
interface Draft {
  readonly level: number;
  readonly text: string;
  readonly quality: Quality;
}

export class NodeWriter {
  readonly #host: EngineHost<LcmOptions>;
  readonly #ask: WriteAsk;
  /** Bodies that nobody has stored yet: a fold may stand on leaves of the same compaction. */
  readonly #made = new Map<ArtifactId, Artifact>();

  constructor(host: EngineHost<LcmOptions>, ask: WriteAsk) {
    this.#host = host;
    this.#ask = ask;
  }

  /** Null: nothing smaller than these entries says where they are. */
  async leaf(pieces: readonly Piece[]): Promise<Node | null> {
    const { leaf_target_ratio: ratio, leaf_max_tokens: most } = this.#host.options;
    const tokens = tokensOf(pieces);
    const source = pieces.flatMap((piece) => piece.placed.filter(({ shape }) => shape.kind !== 'silent'));
    const maxTokens = Math.min(most, Math.max(LEAST_NODE_TOKENS, Math.floor(tokens * ratio)));
    const { text, quality } = await this.#host.summarize({
      purpose: 'lcm_leaf',
      source,
      maxTokens,
      signal: this.#ask.signal,
      ...this.#focus(),
    });
    return this.#smaller(pieces, { level: 0, text, quality });
  }

  async fold(pieces: readonly CoveredPiece[]): Promise<Node | null> {
    const children = await Promise.all(pieces.map((piece) => this.#child(piece)));
    const prior = children.map(({ text }) => text).join('\n\n');
    const maxTokens = Math.min(this.#host.options.fold_max_tokens, Math.max(LEAST_NODE_TOKENS, Math.floor(tokensOf(pieces) / 2)));
    const { text, quality } = await this.#host.summarize({
      purpose: 'lcm_fold',
      source: [],
      prior,
      maxTokens,
      signal: this.#ask.signal,
      ...this.#focus(),
    });
    return this.#smaller(pieces, { level: 1 + Math.max(...children.map(({ level }) => level)), text, quality });
  }

  /** The summary, else one line that names the stretch, else nothing. */
  #smaller(pieces: readonly Piece[], draft: Draft): Node | null {
    const tokens = tokensOf(pieces);
    const limit = tokens - Math.max(LEAST_GAIN_TOKENS, Math.ceil(tokens * LEAST_GAIN_RATIO));
    const stub: Draft = { ...draft, text: '', quality: 'stub' };
    return [draft, stub].map((one) => this.#node(pieces, one)).find(({ piece }) => piece.tokens <= limit) ?? null;
  }

  #node(pieces: readonly Piece[], { level, text, quality }: Draft): Node {
    const placed = pieces.flatMap((piece) => piece.placed);
    const through = pieces.at(-1)?.through;
    const [first, last] = [placed[0]?.entry, placed.at(-1)?.entry];
    if (through === undefined || first === undefined || last === undefined) throw new RangeError('a node stands for at least one entry');
    const head = `[lcm ${level === 0 ? 'leaf' : `node of level ${String(level)}`} | entries ${String(first.seq)} to ${String(last.seq)} | lcm_expand {"id":"${through}"} shows them]`;
    const body = text.trim() === '' ? head : `${head}\n${text}`;
    const artifact = this.#host.artifacts.make(KIND, body, { firstSeq: first.seq, lastSeq: last.seq }, { engine: 'lcm', level, quality });
    this.#made.set(artifact.id, artifact);
    const tokens = this.#host.tokens.block(body);
    const segment = { through, show: 'summary', text: { artifact: artifact.id }, tokens, quality, trust: trustOf(pieces) } as const;
    return { artifact, piece: { kind: 'covered', placed, through, tokens, segment } };
  }

  async #child({ segment }: CoveredPiece): Promise<{ readonly text: string; readonly level: number }> {
    if (segment.show === 'nothing') return { text: '', level: 0 };
    if ('inline' in segment.text) return { text: segment.text.inline, level: 0 };
    const artifact = this.#made.get(segment.text.artifact) ?? (await this.#host.artifacts.get(segment.text.artifact));
    return { text: withoutHead(artifact?.body ?? ''), level: levelOf(artifact) };
  }

  #focus(): { readonly focus?: string } {
    return this.#ask.focus === null ? {} : { focus: this.#ask.focus };
  }
}

export function tokensOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

function withoutHead(body: string): string {
  return body.startsWith('[lcm ') ? body.slice(body.indexOf('\n') + 1 || body.length) : body;
}

function levelOf(artifact: Artifact | null): number {
  const made = artifact?.madeBy;
  return typeof made === 'object' && made !== null && !Array.isArray(made) && typeof made['level'] === 'number' ? made['level'] : 0;
}
