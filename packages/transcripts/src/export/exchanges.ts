/** One path of a session as others may see it: legal roles, whole pairs, nothing empty, nothing private. All writers begin here. */
import type {
  AssistantPart,
  Entry,
  FilePart,
  ImagePart,
  Json,
  Message,
  MessageBody,
  ToolOutput,
  ToolResultPart,
  UserPart,
} from '@palimpsest/contracts';
import { CallIds, Cleaning, toolName, type Redact } from './clean.ts';

export interface ExportOptions {
  /** Applied to every text that leaves, also inside arguments and results. Default: texts leave whole. */
  readonly redact?: Redact;
}
/** The entries of one path, root first. Everything but messages that are shown is left out. */
export type PathEntries = AsyncIterable<Entry> | Iterable<Entry>;

export type Said = { readonly type: 'text'; readonly text: string } | { readonly type: 'reasoning'; readonly text: string } | FilePart;
export interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: Json };
  /** Of a call that was never answered: an error of our own. */
  readonly output: ToolOutput;
}
export type Exchange =
  | { readonly by: 'user'; readonly origin: MessageBody['origin']; readonly parts: readonly UserPart[] }
  | { readonly by: 'model'; readonly said: readonly Said[]; readonly calls: readonly Called[] };

const NO_RESULT: ToolOutput = { type: 'error-text', value: 'No result was recorded for this call.' };
const NO_OUTPUT = '(no output)';

export async function* exchanges(entries: PathEntries, { redact }: ExportOptions): AsyncGenerator<Exchange> {
  const cleaning = new Cleaning(redact);
  const ids = new CallIds();
  let open: Reply | null = null;
  for await (const entry of entries) {
    if (entry.kind !== 'message' || entry.hidden === true) continue;
    const { message } = entry;
    if (message.role === 'tool') {
      for (const part of message.content) open?.answer(part);
      continue;
    }
    if (open !== null) yield* open.close(cleaning, ids);
    open = message.role === 'assistant' ? new Reply(message) : null;
    if (message.role === 'user') yield* asked(message, entry.origin, cleaning);
  }
  if (open !== null) yield* open.close(cleaning, ids);
}

function* asked({ content }: Message & { role: 'user' }, origin: MessageBody['origin'], cleaning: Cleaning): Generator<Exchange> {
  const parts = content.flatMap((part): UserPart[] => {
    if (part.type !== 'text') return [bare(part)];
    const text = cleaning.text(part.text);
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
  if (parts.length > 0) yield { by: 'user', origin, parts };
}

/** What a provider was told beside a part means nothing elsewhere. */
function bare<P extends ImagePart | FilePart>(part: P): P {
  const { providerOptions: _options, ...rest } = part;
  return rest as P;
}

/** A reply that waits for its results. A result answers the first open call of its id in the newest reply; others answer nothing. */
class Reply {
  readonly #content: readonly AssistantPart[];
  readonly #calls: { readonly id: string; readonly name: string; readonly input: Json; output: ToolOutput | null }[];

  constructor({ content }: Message & { role: 'assistant' }) {
    this.#content = content;
    this.#calls = content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input, output: null }] : [],
    );
    for (const part of content) if (part.type === 'tool-result') this.answer(part);
  }

  answer({ toolCallId, output }: ToolResultPart): void {
    const call = this.#calls.find((one) => one.id === toolCallId && one.output === null);
    if (call !== undefined) call.output = output;
  }

  *close(cleaning: Cleaning, ids: CallIds): Generator<Exchange> {
    const said = this.#content.flatMap((part) => saidPart(part, cleaning));
    const calls = this.#calls.map(({ id, name, input, output }): Called => ({
      id: ids.next(id),
      name: toolName(name),
      input: argumentsOf(cleaning.json(input)),
      output: cleanOutput(output ?? NO_RESULT, cleaning),
    }));
    if (said.length + calls.length > 0) yield { by: 'model', said, calls };
  }
}

/** Signatures and opaque parts stay behind: they are useless elsewhere. */
function saidPart(part: AssistantPart, cleaning: Cleaning): Said[] {
  if (part.type === 'file') return [bare(part)];
  if (part.type !== 'text' && part.type !== 'reasoning') return [];
  const text = cleaning.text(part.text);
  return text.trim() === '' ? [] : [{ type: part.type, text }];
}

/** Arguments are an object on every wire; what was no JSON is carried inside one. */
const argumentsOf = (input: Json): { [key: string]: Json } =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { _raw: input };

function cleanOutput(output: ToolOutput, cleaning: Cleaning): ToolOutput {
  if (output.type === 'json' || output.type === 'error-json') return { type: output.type, value: cleaning.json(output.value) };
  if (output.type !== 'content') {
    const value = cleaning.text(output.value);
    return { type: output.type, value: value.trim() === '' ? NO_OUTPUT : value };
  }
  const value = output.value.flatMap((part): (typeof output.value)[number][] => {
    if (part.type !== 'text') return [part];
    const text = cleaning.text(part.text);
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
  return value.length === 0 ? { type: 'text', value: NO_OUTPUT } : { type: 'content', value };
}

export const failed = (output: ToolOutput): boolean => output.type === 'error-text' || output.type === 'error-json';

/** A result as one text; pictures become a word in brackets. */
export function outputText(output: ToolOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.map((part) => (part.type === 'text' ? part.text : `[image of type ${part.mediaType}]`)).join('\n');
}

/** What a format has no form for: a word in brackets. */
export const placeholder = (part: ImagePart | FilePart): string =>
  part.type === 'image'
    ? `[image of type ${part.mediaType ?? 'unknown'}]`
    : `[file ${part.filename ?? ''} of type ${part.mediaType}]`.replace('  ', ' ');

export const isLink = (data: string): boolean => /^https?:\/\//u.test(data);

/** The messages that each exchange becomes, as a JSON list. */
export function messageList(
  entries: PathEntries,
  options: ExportOptions,
  messagesOf: (exchange: Exchange) => Iterable<object>,
): AsyncGenerator<string> {
  return jsonList(messages(entries, options, messagesOf));
}

async function* messages(
  entries: PathEntries,
  options: ExportOptions,
  messagesOf: (exchange: Exchange) => Iterable<object>,
): AsyncGenerator<object> {
  for await (const exchange of exchanges(entries, options)) yield* messagesOf(exchange);
}

/** A JSON list, element by element, each on a line of its own. */
async function* jsonList(elements: AsyncIterable<unknown>, indent = ''): AsyncGenerator<string> {
  let count = 0;
  for await (const element of elements) yield `${count++ === 0 ? '[' : ','}\n${indent}${JSON.stringify(element)}`;
  yield count === 0 ? '[]' : `\n${indent}]`;
}
