import { errors, HOOKS, sessionToken } from '@palimpsest/contracts';
import type { Hooks, Message, ModelRequest, PalimpsestError, TransformRequestHook } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { TurnAborted } from './engine/deadline.ts';
import { requestFault } from './request-check.ts';
import { edited, editOf, type RequestEdit } from './request-edit.ts';

/** A hook whose request cannot be sent; what it wanted is left out. */
export interface RefusedHook {
  readonly hook: string;
  readonly rule: string;
  readonly error: PalimpsestError;
}

export interface Hooked {
  readonly request: ModelRequest;
  /** What differs from the request as rendered, so that the step can be rebuilt; null: nothing but call settings, if anything. */
  readonly edit: RequestEdit | null;
  readonly replaced: boolean;
  readonly breaksCache: boolean;
  readonly refused: readonly RefusedHook[];
}

/** Runs the `transform-request` hooks in order over a rendered request. What a hook makes is looked at before the next one, or a model, sees it. */
export class RequestHooks {
  constructor(@inject(HOOKS) private readonly hooks: Hooks) {}

  /** `newestUser` renders the newest user input alone. @throws HOOK_FAILED for a hook that throws or is late: sending what it was meant to change would be worse than sending nothing. */
  async run(rendered: ModelRequest, newestUser: () => Promise<Message | null>, signal: AbortSignal): Promise<Hooked> {
    let now = { request: rendered, replaced: false, breaksCache: false };
    const refused: RefusedHook[] = [];
    for (const hook of this.hooks.transformRequest) {
      const change = await changed(hook, now.request, signal);
      if (change === null) continue;
      const replaced = now.replaced || change.replacedConversation === true;
      const fault = requestFault({ request: now.request, newestUser: replaced ? null : await newestUser() }, change.request);
      if (fault === null) now = { request: change.request, replaced, breaksCache: now.breaksCache || hook.breaksCache };
      else refused.push({ hook: hook.name, rule: fault.rule, error: errors.hookRequestInvalid(hook.name, fault.rule, fault.problem) });
    }
    return { ...now, ...sendable(rendered, now.request), refused };
  }
}

async function changed(hook: TransformRequestHook, request: ModelRequest, signal: AbortSignal): ReturnType<TransformRequestHook['run']> {
  try {
    return (await hook.run(structuredClone(request), signal)) ?? null;
  } catch (error) {
    if (error instanceof TurnAborted) throw error;
    throw errors.hookFailed(hook.name, error);
  }
}

/** What is sent is what can be rebuilt. */
function sendable(rendered: ModelRequest, hooked: ModelRequest): Pick<Hooked, 'request' | 'edit'> {
  if (hooked === rendered) return { request: rendered, edit: null };
  const edit = editOf(rendered, hooked);
  return { request: edited(rendered, edit, hooked.settings), edit: changesNothing(edit, rendered) ? null : edit };
}

function changesNothing({ system, tools, messages: [first, ...rest] }: RequestEdit, { messages }: ModelRequest): boolean {
  return system === undefined && tools === undefined && rest.length === 0 && Array.isArray(first) && first[1] === messages.length;
}

export const REQUEST_HOOKS = sessionToken<RequestHooks>('kernel.request-hooks');
