import { callsOf, message } from '@palimpsest/contracts';
import type { Message, ModelRequest, PlanViolation } from '@palimpsest/contracts';
import { z } from 'zod';

const schema = z.object({ name: z.string().min(1), description: z.string(), inputSchema: z.json() });
const settings = z.object({ maxOutputTokens: z.number().int().positive().optional(), temperature: z.number().optional() });
const shape = z.object({ route: z.string(), system: z.string(), tools: z.array(schema), messages: z.array(z.unknown()).min(1), settings });

/** A request as a hook found it, and the newest user input as it stands in it; null: it need not be there. */
export interface Found {
  readonly request: ModelRequest;
  readonly newestUser: Message | null;
}

/** Why a request that a hook made cannot be sent; null: it can. Only what the hook changed is looked at in full. */
export function requestFault(found: Found, hooked: unknown): PlanViolation | null {
  const parsed = shape.safeParse(hooked);
  if (!parsed.success) return fault('shape', parsed.error);
  const request = hooked as ModelRequest;
  if (request.route !== found.request.route) return { rule: 'route', problem: 'a hook cannot send a request elsewhere' };
  const known = new Set(found.request.messages.map((one) => JSON.stringify(one)));
  for (const [at, one] of request.messages.entries()) {
    const legal = known.has(JSON.stringify(one)) ? null : message.safeParse(one);
    if (legal?.success === false) return fault('message', legal.error, at);
  }
  if (request.messages[0]?.role !== 'user') return { rule: 'first-message', problem: "the first message is not the user's" };
  const pairs = pairFault(request.messages);
  if (pairs !== null && pairFault(found.request.messages) === null) return { rule: 'pair-cut', problem: pairs };
  return shows(found, request.messages) ? null : { rule: 'newest-user-entry', problem: 'the newest user input is gone' };
}

function fault(rule: string, error: z.ZodError, at?: number): PlanViolation {
  const [issue] = error.issues;
  const path = [...(at === undefined ? [] : ['messages', at]), ...(issue?.path ?? [])];
  return { rule, problem: `${z.core.toDotPath(path)}: ${issue?.message ?? 'invalid'}` };
}

/** Every call is answered before anything else is said, and nothing is answered that was not asked. */
function pairFault(messages: readonly Message[]): string | null {
  let open: string[] = [];
  for (const [at, one] of messages.entries()) {
    if (one.role !== 'tool' && open.length > 0) return `messages[${String(at)}] stands before the result of ${open.join(', ')}`;
    if (one.role === 'assistant') open = callsOf(one).map(({ id }) => id);
    if (one.role !== 'tool') continue;
    for (const { toolCallId } of one.content) {
      const asked = open.indexOf(toolCallId);
      if (asked < 0) return `messages[${String(at)}] answers ${toolCallId}, which nothing before it asks for`;
      open.splice(asked, 1);
    }
  }
  return open.length === 0 ? null : `${open.join(', ')} has no result`;
}

/** The newest user input: as it was, with something added to it, or edited where it stands, as by a hook that hides secrets. */
function shows({ request, newestUser }: Found, messages: readonly Message[]): boolean {
  if (newestUser === null || messages.some((one) => contains(one, newestUser))) return true;
  const text = JSON.stringify(newestUser);
  const at = request.messages.findLastIndex((one) => JSON.stringify(one) === text);
  const users = (list: readonly Message[]): number => list.filter(({ role }) => role === 'user').length;
  return (
    at < 0 ||
    (users(messages) >= users(request.messages) &&
      [messages[at], messages.at(at - request.messages.length)].some((one) => one?.role === 'user'))
  );
}

function contains(whole: Message, part: Message): boolean {
  if (whole.role !== 'user' || part.role !== 'user') return false;
  return part.content.every((piece) =>
    whole.content.some((other) =>
      piece.type === 'text' && other.type === 'text' ? other.text.includes(piece.text) : JSON.stringify(other) === JSON.stringify(piece),
    ),
  );
}
