import type { Message, ModelRequest, ToolSchema } from '@palimpsest/contracts';

/** A stretch of the messages as rendered: from this one on, so many. */
export type Kept = readonly [from: number, count: number];

/** What hooks made of a request, as what differs: a step keeps this, not a second copy of the conversation. Call settings are in the step. */
export interface RequestEdit {
  readonly system?: string;
  readonly tools?: readonly ToolSchema[];
  /** In order. Every rendered message is kept at most once, and in its order. */
  readonly messages: readonly (Kept | Message)[];
}

/** What differs between a request as rendered and as hooks made it. Messages are the same when their JSON is. */
export function editOf(rendered: ModelRequest, hooked: ModelRequest): RequestEdit {
  const differs = (field: 'system' | 'tools'): boolean => JSON.stringify(rendered[field]) !== JSON.stringify(hooked[field]);
  return {
    ...(differs('system') ? { system: hooked.system } : {}),
    ...(differs('tools') ? { tools: plain(hooked.tools) } : {}),
    messages: messagesOf(rendered.messages, hooked.messages),
  };
}

/** The request as hooks made it, byte for byte. */
export function edited(rendered: ModelRequest, edit: RequestEdit, settings: ModelRequest['settings']): ModelRequest {
  const messages = edit.messages.flatMap((part) => (isKept(part) ? rendered.messages.slice(part[0], part[0] + part[1]) : [part]));
  return { route: rendered.route, system: edit.system ?? rendered.system, tools: edit.tools ?? rendered.tools, messages, settings };
}

export function isKept(part: Kept | Message): part is Kept {
  return Array.isArray(part);
}

/** Messages of the hooks' own, and rendered ones that they left out. */
export function changedIn(
  edit: RequestEdit,
  rendered: ModelRequest,
): { readonly put: readonly Message[]; readonly left: readonly Message[] } {
  const kept = new Set(edit.messages.flatMap((part) => (isKept(part) ? Array.from({ length: part[1] }, (_, at) => part[0] + at) : [])));
  return { put: edit.messages.flatMap((part) => (isKept(part) ? [] : [part])), left: rendered.messages.filter((_, at) => !kept.has(at)) };
}

/** The common beginning and end are kept; between them each message is looked for behind the last one that was found. */
function messagesOf(rendered: readonly Message[], hooked: readonly Message[]): readonly (Kept | Message)[] {
  const [before, after] = [rendered.map((message) => JSON.stringify(message)), hooked.map((message) => JSON.stringify(message))];
  const parts: (Kept | Message)[] = [];
  const tail = commonEnd(before, after);
  const places = Map.groupBy([...before.keys()].slice(0, before.length - tail), (at) => before[at]);
  let next = 0;
  for (const [at, text] of after.entries()) {
    const inTail = at >= after.length - tail;
    const found = inTail ? before.length - (after.length - at) : (places.get(text)?.find((place) => place >= next) ?? -1);
    if (found < 0) parts.push(JSON.parse(text) as Message);
    else keep(parts, found);
    if (found >= 0) next = found + 1;
  }
  return parts;
}

/** How many messages at the end are the same, of those that are no common beginning. */
function commonEnd(before: readonly string[], after: readonly string[]): number {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return end;
}

function keep(parts: (Kept | Message)[], at: number): void {
  const last = parts.at(-1);
  if (last !== undefined && isKept(last) && last[0] + last[1] === at) parts[parts.length - 1] = [last[0], last[1] + 1];
  else parts.push([at, 1]);
}

/** As it will be read again. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
