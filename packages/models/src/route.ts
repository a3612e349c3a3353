import type { WireName } from '@palimpsest/contracts';

/** A route taken apart. `model` is the provider's own id and may hold slashes of its own. */
export interface Route {
  readonly wire: WireName;
  readonly provider: string;
  readonly model: string;
}

export const wireNames: readonly WireName[] = ['openai-chat', 'openai-responses', 'anthropic'];

/** Takes `wire:provider/model` apart. What a route leaves out is an empty string; an unknown wire reads as `openai-chat`. */
export function parseRoute(route: string): Route {
  const colon = route.indexOf(':');
  const wire = wireNames.find((name) => name === route.slice(0, Math.max(colon, 0))) ?? 'openai-chat';
  const path = route.slice(colon + 1);
  const slash = path.indexOf('/');
  return slash < 0 ? { wire, provider: path, model: '' } : { wire, provider: path.slice(0, slash), model: path.slice(slash + 1) };
}
