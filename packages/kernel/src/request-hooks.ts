import { errors, HOOKS, sessionToken } from '@palimpsest/contracts';
import type { Artifact, Hooks, ModelRequest, TransformRequestHook } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { TurnAborted } from './engine/deadline.ts';
import { artifactIdOf } from './hash.ts';

export interface Hooked {
  readonly request: ModelRequest;
  /** The changed request as an artifact, so that the step can be rebuilt; null: no hook changed anything. */
  readonly patch: Artifact | null;
  readonly replaced: boolean;
  readonly breaksCache: boolean;
}

/** Runs the `transform-request` hooks in order over a rendered request. */
export class RequestHooks {
  constructor(@inject(HOOKS) private readonly hooks: Hooks) {}

  async run(request: ModelRequest, signal: AbortSignal): Promise<Hooked> {
    let now = { request, replaced: false, breaksCache: false };
    for (const hook of this.hooks.transformRequest) {
      const change = await changed(hook, now.request, signal);
      if (change !== null) now = { request: change.request, replaced: now.replaced || change.replacedConversation, breaksCache: now.breaksCache || hook.breaksCache };
    }
    return { ...now, patch: now.request === request ? null : patchOf(now.request) };
  }
}

/** @throws HOOK_FAILED. Sending what a hook was meant to change would be worse than sending nothing. */
async function changed(hook: TransformRequestHook, request: ModelRequest, signal: AbortSignal): ReturnType<TransformRequestHook['run']> {
  try {
    return (await hook.run(structuredClone(request), signal)) ?? null;
  } catch (error) {
    if (error instanceof TurnAborted) throw error;
    throw errors.hookFailed(hook.name, error);
  }
}

function patchOf(request: ModelRequest): Artifact {
  const body = JSON.stringify(request);
  return { id: artifactIdOf('request_patch', body), kind: 'request_patch', session: null, body, source: null, madeBy: 'hook', tokens: 0 };
}

export const REQUEST_HOOKS = sessionToken<RequestHooks>('kernel.request-hooks');
