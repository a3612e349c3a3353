/** A summary document out of entries. Deterministic; never throws, whatever a message holds. */
import type { AssistantMessage, Message, Origin, Placed, ToolCallPart, ToolMessage, ToolOutput } from '@palimpsest/contracts';
import { emptyDocument, merged, type SummaryDocument, type WorkItem } from './document.ts';
import { touchedFiles } from './files.ts';
import { IdentifierIndex } from './identifiers.ts';
import { parsed } from './format.ts';
import { isError, jsonText, oneLine, opening, outputText, readable } from './text.ts';
import { errorOf, workLine } from './work.ts';

const GOAL_CHARS = 1_200;
const TASK_CHARS = 500;
const ANSWER_CHARS = 280;
const ERROR_CHARS = 200;
const FOCUS_LINE_CHARS = 200;
const MOST_FOCUS_LINES = 16;
const MOST_IDENTIFIERS = 300;
/** What a person typed, what the model asked for, what a tool printed. */
const weight = { user: 3, model: 2, tool: 0 } as const;

/** @param source oldest first; silent entries are passed over. `focus` picks lines that mention one of its words. */
export function extracted(source: readonly Placed[], focus: string | null): SummaryDocument {
  const extraction = new Extraction(source, focusWords(focus));
  for (const placed of source) if (placed.shape.kind !== 'silent') extraction.read(placed);
  return extraction.document(filesIn(source));
}

/** Files that the calls of these entries read and changed, newest first. */
export function filesIn(source: readonly Placed[]): Pick<SummaryDocument, 'read' | 'modified'> {
  const results = resultsOf(source);
  const touched = source
    .filter(({ shape }) => shape.kind !== 'silent')
    .flatMap(({ entry, group }) => {
      if (entry.kind !== 'message' || entry.message.role !== 'assistant') return [];
      const calls = entry.message.content.filter((part) => part.type === 'tool-call');
      return calls.map(({ toolName, toolCallId, input }) =>
        touchedFiles(toolName, input, failed(results.get(resultKey(group, toolCallId)))),
      );
    });
  return {
    read: newest(touched.flatMap(({ read }) => read.map(readable))),
    modified: newest(touched.flatMap(({ modified }) => modified.map(readable))),
  };
}

function failed(output: ToolOutput | undefined): boolean {
  return output !== undefined && isError(output);
}

function newest(items: readonly string[]): readonly string[] {
  return [...new Set([...items].reverse())];
}

function focusWords(focus: string | null): readonly string[] {
  return [...new Set((focus ?? '').toLowerCase().match(/[\p{L}\p{N}_./-]{3,40}/gu) ?? [])].slice(0, 20);
}

class Extraction {
  readonly #index = new IdentifierIndex();
  readonly #results: ReadonlyMap<string, ToolOutput>;
  readonly #focusWords: readonly string[];
  #document = emptyDocument;
  readonly #users: string[] = [];
  readonly #remarks: string[] = [];
  readonly #answers: string[] = [];
  readonly #work: string[] = [];
  readonly #errors: string[] = [];
  readonly #focus: string[] = [];

  constructor(source: readonly Placed[], words: readonly string[]) {
    this.#results = resultsOf(source);
    this.#focusWords = words;
  }

  read({ entry, group }: Placed): void {
    if (entry.kind === 'branch-summary') this.#earlier(entry.summary);
    if (entry.kind === 'custom' && entry.shown !== null) this.#note(readable(entry.shown));
    if (entry.kind !== 'message') return;
    if (entry.message.role === 'user') this.#user(entry.message, entry.origin);
    if (entry.message.role === 'assistant') this.#assistant(entry.message, group);
    if (entry.message.role === 'tool') this.#tool(entry.message);
  }

  document(files: Pick<SummaryDocument, 'read' | 'modified'>): SummaryDocument {
    const [goal = null, ...later] = this.#users;
    const own: SummaryDocument = {
      goal: goal === null ? null : oneLine(goal, GOAL_CHARS),
      tasks: newest(later.map((text) => oneLine(text, TASK_CHARS))),
      focus: newest(this.#focus).slice(0, MOST_FOCUS_LINES),
      answers: newest(this.#answers.length > 0 ? this.#answers : this.#remarks.slice(-3)),
      work: this.#work.map((text, at): WorkItem => ({ number: at + 1, text })),
      ...files,
      errors: newest(this.#errors),
      identifiers: this.#index.ranked(MOST_IDENTIFIERS),
      earlier: [],
    };
    return merged(this.#document, own);
  }

  #user(message: Extract<Message, { role: 'user' }>, origin: Origin): void {
    const text = readable(
      message.content
        .map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '[image]' : `[file ${part.filename ?? part.mediaType}]`))
        .join('\n'),
    );
    if (origin === 'handoff') return this.#earlier(text);
    if (origin === 'continuation' || text.trim() === '') return;
    if (origin !== 'user_input') return this.#note(text);
    this.#users.push(text);
    this.#index.add(text, weight.user);
    this.#lines(text);
  }

  /** Client text and output of something that ran: searched, but nobody's task. */
  #note(text: string): void {
    this.#index.add(text, weight.tool);
    this.#lines(text);
  }

  #earlier(text: string): void {
    this.#document = merged(this.#document, parsed(readable(text)));
  }

  #assistant({ content }: AssistantMessage, group: string): void {
    const text = readable(
      content
        .map((part) => (part.type === 'text' ? part.text : ''))
        .filter((part) => part.trim() !== '')
        .join('\n'),
    );
    const calls = content.filter((part) => part.type === 'tool-call');
    if (text !== '') (calls.length === 0 ? this.#answers : this.#remarks).push(opening(text, ANSWER_CHARS));
    this.#index.add(text, weight.model);
    this.#lines(text);
    for (const call of calls) this.#call(call, group);
    for (const part of content) if (part.type === 'tool-result') this.#result(part.output);
  }

  #call({ toolName, toolCallId, input }: ToolCallPart, group: string): void {
    this.#work.push(workLine(toolName, input, this.#results.get(resultKey(group, toolCallId)) ?? null));
    this.#index.add(readable(jsonText(input)), weight.model);
  }

  #tool({ content }: ToolMessage): void {
    for (const { output } of content) this.#result(output);
  }

  #result(output: ToolOutput): void {
    const clean = readable(outputText(output));
    const error = errorOf(output, clean);
    if (error !== null) this.#errors.push(oneLine(error, ERROR_CHARS));
    this.#index.add(clean, weight.tool);
    this.#lines(clean);
  }

  #lines(text: string): void {
    if (this.#focusWords.length === 0) return;
    for (const line of text.split('\n')) {
      const low = line.toLowerCase();
      if (line.trim() !== '' && this.#focusWords.some((word) => low.includes(word))) this.#focus.push(oneLine(line, FOCUS_LINE_CHARS));
    }
  }
}

/** Ids of calls repeat in real sessions. */
function resultKey(group: string, toolCallId: string): string {
  return `${group}\n${toolCallId}`;
}

function resultsOf(source: readonly Placed[]): ReadonlyMap<string, ToolOutput> {
  const results = new Map<string, ToolOutput>();
  for (const { entry, group } of source) {
    if (entry.kind !== 'message' || entry.message.role === 'user') continue;
    for (const part of entry.message.content) if (part.type === 'tool-result') results.set(resultKey(group, part.toolCallId), part.output);
  }
  return results;
}
