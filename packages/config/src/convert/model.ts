import type { Json } from '@palimpsest/contracts';
import type { Path } from '../dotted-path.ts';
import type { Proposal } from './conversion.ts';
import type { Assignment } from './draft.ts';

/** The name under `models` that a converted model gets. */
export const MODEL_NAME = 'main';
export const ofModel = (key: string): Path => ['models', MODEL_NAME, key];

/** How one of their providers is spoken to here. */
export interface Route {
  readonly provider: 'openai' | 'openai-responses' | 'anthropic' | 'openai-compatible';
  /** The service's own address, where the settings do not say one. */
  readonly baseUrl?: string;
  /** The variable the service's key is looked for in, where our provider does not know it by itself. */
  readonly keyVariable?: string;
}

export const OPENROUTER: Route = {
  provider: 'openai-compatible',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
};

/** A value of theirs and where it is written; `value` in our spelling. */
export interface Written {
  readonly from: Path;
  readonly value: string;
}

export interface WrittenModel {
  readonly id: Written;
  readonly route: Route;
  /** The key that decided on the route. */
  readonly routeFrom: Path;
  readonly baseUrl: Written | null;
  readonly apiKey: Written | null;
}

/** All or nothing: half a model is no model. */
export function modelProposal({ id, route, routeFrom, baseUrl, apiKey }: WrittenModel): Proposal {
  const set = (from: Path, key: string, value: Json | undefined): readonly Assignment[] =>
    value === undefined ? [] : [{ from, to: ofModel(key), value }];
  const keyVariable = route.keyVariable === undefined ? undefined : `\${env:${route.keyVariable}}`;
  return {
    group: [
      ...set(routeFrom, 'provider', route.provider),
      ...set(id.from, 'model', id.value),
      { from: id.from, to: ['agent', 'model'], value: MODEL_NAME },
      ...set(baseUrl?.from ?? routeFrom, 'base_url', baseUrl?.value ?? route.baseUrl),
      ...set(apiKey?.from ?? routeFrom, 'api_key', apiKey?.value ?? keyVariable),
    ],
  };
}
