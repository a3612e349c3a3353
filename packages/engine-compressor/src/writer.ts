/** What stands for a covered stretch: the host's summariser where it was granted, else the facts of the stretch. */
import { addLeftOut, NOTHING_LEFT_OUT } from '@palimpsest/contracts';
import type { EngineHost, LeftOut, Placed } from '@palimpsest/contracts';
import { isLogged, type Write, type Written } from './cover.ts';
import { emptyDocument, merged, type SummaryDocument } from './summary/document.ts';
import { extracted } from './summary/extract.ts';
import { fitted } from './summary/fit.ts';
import { parsed } from './summary/format.ts';
import { redact } from './summary/redact.ts';
import type { LoggedBundle, Bundle } from './bundles.ts';

export interface WriterAsk {
  readonly focus: string | null;
  readonly signal: AbortSignal;
}
export type WriterHost = Pick<EngineHost, 'tokens' | 'summarize' | 'info' | 'log' | 'pause'>;

/** Entries read at a stretch: some milliseconds. */
const STRETCH = 400;

/** Without the permission `summarize` no model is asked. What the host's summariser returns too long or empty is not used. */
export function writer(host: WriterHost, { focus, signal }: WriterAsk): Write {
  const granted = host.info.granted.includes('summarize');
  return async (stretch, maxTokens) =>
    (granted ? await byHost(host, stretch, { focus, signal, maxTokens }) : null) ?? facts(host, stretch, focus, maxTokens);
}

/** The deterministic text, or one line where nothing more fits. */
export async function facts(
  host: Pick<WriterHost, 'tokens' | 'pause'>,
  stretch: readonly Bundle[],
  focus: string | null,
  maxTokens: number,
): Promise<Written> {
  const text = fitted(await documentOf(host, stretch, focus), maxTokens, (part) => host.tokens.block(part));
  if (text !== '') return { text, tokens: host.tokens.block(text), quality: 'extract' };
  const leftOut = stretch.map(figuresOf).reduce(addLeftOut, NOTHING_LEFT_OUT);
  const line = lineOf(leftOut);
  return { text: line, tokens: host.tokens.block(line), quality: 'stub', leftOut };
}

/** An earlier notice says what it stands for; any other summary is one. */
function figuresOf(bundle: Bundle): LeftOut {
  if (bundle.kind === 'logged')
    return bundle.segment.show === 'summary'
      ? (bundle.segment.leftOut ?? { ...NOTHING_LEFT_OUT, summaries: 1, tokens: bundle.tokens })
      : NOTHING_LEFT_OUT;
  const said = bundle.placed.filter(({ entry, shape }) => entry.kind === 'message' && shape.kind !== 'silent');
  return { messages: said.length, summaries: 0, tokens: said.reduce((sum, { entry }) => sum + entry.tokens, 0) };
}

function lineOf({ messages, summaries }: LeftOut): string {
  const what = [...counted(messages, 'message', 'messages'), ...counted(summaries, 'summary', 'summaries')].join(' and ');
  return `[Left out here: ${what === '' ? 'what was said' : what} before; the session log has it]`;
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${String(count)} ${count === 1 ? one : many}`];
}

async function byHost(
  host: WriterHost,
  stretch: readonly Bundle[],
  { focus, signal, maxTokens }: WriterAsk & { readonly maxTokens: number },
): Promise<Written | null> {
  const prior = priorText(stretch);
  const ask = {
    purpose: 'compaction',
    source: entriesOf(stretch),
    ...(prior === '' ? {} : { prior }),
    ...(focus === null ? {} : { focus }),
    maxTokens,
    signal,
  };
  const summary = await host.summarize(ask);
  const text = redact(summary.text);
  const tokens = host.tokens.block(text);
  if (text.trim() !== '' && tokens <= maxTokens) return { text, tokens, quality: summary.quality };
  host.log.warn('the summary was empty or too long and is not used', { tokens, maxTokens });
  return null;
}

/** In the order of the path: what stands before an earlier summary is older than what that one says. */
async function documentOf(host: Pick<WriterHost, 'pause'>, stretch: readonly Bundle[], focus: string | null): Promise<SummaryDocument> {
  let document = emptyDocument;
  for (const piece of piecesOf(stretch)) {
    document = merged(document, Array.isArray(piece) ? extracted(piece, focus) : parsed(redact(piece.text ?? '')));
    await host.pause();
  }
  return document;
}

/** Earlier summaries, and the entries between them in stretches; bundles are not cut. */
function piecesOf(stretch: readonly Bundle[]): readonly (LoggedBundle | Placed[])[] {
  const pieces: (LoggedBundle | Placed[])[] = [];
  for (const bundle of stretch) {
    const last = pieces.at(-1);
    if (bundle.kind === 'logged') pieces.push(bundle);
    else if (Array.isArray(last) && last.length < STRETCH) last.push(...bundle.placed);
    else pieces.push([...bundle.placed]);
  }
  return pieces;
}

function priorText(stretch: readonly Bundle[]): string {
  return stretch
    .filter(isLogged)
    .flatMap(({ text }) => (text === null ? [] : [redact(text)]))
    .join('\n\n');
}

function entriesOf(stretch: readonly Bundle[]): readonly Placed[] {
  return stretch.flatMap((bundle) => (bundle.kind === 'entries' ? bundle.placed.filter(({ shape }) => shape.kind !== 'silent') : []));
}
