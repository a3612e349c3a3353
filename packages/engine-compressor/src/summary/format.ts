/** The text form of a summary document, and back. Items are single lines, so no item can look like a heading. */
import { emptyDocument, type SummaryDocument } from './document.ts';
import { identifiersIn } from './identifiers.ts';
import { oneLine } from './text.ts';

/** First line of every text of this form; what begins otherwise is another tool's. */
const OPENING = 'Facts extracted from the earlier part of this session, without a model (form 1).';
const EARLIER_LINE_CHARS = 300;
const MOST_EARLIER_LINES = 60;
const MOST_HIDDEN = 100;

export type ListName = Exclude<keyof SummaryDocument, 'goal' | 'work'>;
/** In the order in which they stand. */
export const sections = [
  { name: 'tasks', title: 'Task' },
  { name: 'focus', title: 'On the focus' },
  { name: 'answers', title: 'Answers and decisions' },
  { name: 'work', title: 'Work done' },
  { name: 'modified', title: 'Files modified' },
  { name: 'read', title: 'Files read' },
  { name: 'errors', title: 'Errors seen' },
  { name: 'identifiers', title: 'Identifiers' },
  { name: 'earlier', title: 'Earlier summary' },
] as const satisfies readonly { readonly name: ListName | 'work'; readonly title: string }[];
export type SectionName = (typeof sections)[number]['name'];

const GOAL = 'Original goal: ';
const SEPARATOR = ', ';

/** Empty sections are left out; an empty document is an empty text. */
export function rendered(document: SummaryDocument): string {
  const bodies = sections.flatMap(({ name, title }) => {
    const lines = linesOf(document, name);
    return lines.length === 0 ? [] : [`## ${title}\n${lines.join('\n')}`];
  });
  return bodies.length === 0 ? '' : [OPENING, ...bodies].join('\n\n');
}

function linesOf(document: SummaryDocument, name: SectionName): readonly string[] {
  if (name === 'work') return document.work.map(({ number, text }) => `${String(number)}. ${text}`);
  if (name === 'identifiers') return document.identifiers.length === 0 ? [] : [`- ${document.identifiers.join(SEPARATOR)}`];
  if (name === 'tasks' && document.goal !== null) return [`- ${GOAL}${document.goal}`, ...document.tasks.map((task) => `- ${task}`)];
  return document[name].map((item) => `- ${item}`);
}

/** Reads a text of this form section by section; any other text becomes lines of `earlier`. Never throws. */
export function parsed(text: string): SummaryDocument {
  if (!text.startsWith(OPENING)) return { ...emptyDocument, earlier: earlierLines(text) };
  return withHidden(
    text
      .split(/^(?=## )/mu)
      .slice(1)
      .reduce(withSection, emptyDocument),
  );
}

/** `Identifiers` leaves out what another section says; when that section is cut, the string must not go with it. */
function withHidden(document: SummaryDocument): SummaryDocument {
  const { goal, tasks, answers, work, modified, read, errors } = document;
  const said = [
    ...(goal === null ? [] : [goal]),
    ...[...tasks].reverse(),
    ...[...answers].reverse(),
    ...work.map(({ text }) => text),
    ...[...read].reverse(),
    ...[...modified].reverse(),
    ...errors,
  ];
  return { ...document, identifiers: [...new Set([...document.identifiers, ...identifiersIn(said, MOST_HIDDEN)])] };
}

function earlierLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => oneLine(line, EARLIER_LINE_CHARS))
    .filter((line) => line !== '')
    .slice(0, MOST_EARLIER_LINES);
}

function withSection(document: SummaryDocument, block: string): SummaryDocument {
  const [heading = '', ...lines] = block.trimEnd().split('\n');
  const name = sections.find(({ title }) => heading === `## ${title}`)?.name;
  const items = lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  switch (name) {
    case undefined:
      return { ...document, earlier: [...document.earlier, ...earlierLines(block)] };
    case 'work':
      return { ...document, work: lines.flatMap(workItem) };
    case 'identifiers':
      return { ...document, identifiers: items.flatMap((item) => item.split(SEPARATOR)) };
    case 'tasks':
      return withTasks(document, items);
    default:
      return { ...document, [name]: items };
  }
}

function withTasks(document: SummaryDocument, items: readonly string[]): SummaryDocument {
  const goal = items[0]?.startsWith(GOAL) === true ? items[0].slice(GOAL.length) : null;
  return { ...document, goal, tasks: goal === null ? items : items.slice(1) };
}

function workItem(line: string): readonly { readonly number: number; readonly text: string }[] {
  const found = /^(\d{1,9})\. (.*)$/u.exec(line);
  return found === null ? [] : [{ number: Number(found[1]), text: found[2] ?? '' }];
}
