import type { Path } from '../dotted-path.ts';
import { isMap, nodeAt, type Located } from '../located.ts';
import type { Proposal } from './conversion.ts';
import { modelProposal, ofModel, OPENROUTER, type Route, type Written } from './model.ts';
import { literal, writtenNumber, writtenText } from './written-value.ts';

const LOCAL: Route = { provider: 'openai-compatible' };
const ROUTES: Readonly<Record<string, Route>> = {
  anthropic: { provider: 'anthropic' },
  openai: { provider: 'openai' },
  openrouter: OPENROUTER,
  custom: LOCAL,
  ollama: LOCAL,
  vllm: LOCAL,
  llamacpp: LOCAL,
  lmstudio: { ...LOCAL, baseUrl: 'http://127.0.0.1:1234/v1' },
};

/** `${NAME}` is how Hermes refers to the environment. */
export const hermesText = (text: string): string => literal(text).replaceAll(/\$\{([A-Za-z_]\w*)\}/gu, '${env:$1}');

/** The `model` section, or the name alone that can stand in its place. */
export function hermesModel(root: Located): readonly Proposal[] {
  const model = nodeAt(root, ['model']);
  if (model === null) return [];
  const found = identity(root, model);
  if ('why' in found)
    return isMap(model)
      ? [...model.entries.keys()].map((key) => ({ path: ['model', key], why: found.why }))
      : [{ path: ['model'], why: found.why }];
  return [found.proposal, ...spare(model, found.id), ...secret(root), ...window(root), ...outputLimit(root)];
}

function identity(root: Located, model: Located): { readonly proposal: Proposal; readonly id: Path } | { readonly why: string } {
  const id = written(root, ['model', 'default']) ?? written(root, ['model', 'model']) ?? written(root, ['model']);
  if (id === null) return { why: isMap(model) ? 'no model is named (model.default)' : 'expected the name of a model' };
  const baseUrl = written(root, ['model', 'base_url']);
  const provider = written(root, ['model', 'provider']);
  const route = routeOf(provider?.value ?? 'auto', baseUrl?.value ?? null);
  if (route === null) return { why: 'which service this is cannot be told; name provider, model and base_url under models' };
  if (route.provider === 'openai-compatible' && baseUrl === null && route.baseUrl === undefined)
    return { why: 'this provider needs a base_url' };
  const routeFrom = provider?.from ?? baseUrl?.from ?? id.from;
  return { id: id.from, proposal: modelProposal({ ...spelled(route, id, baseUrl), route, routeFrom, apiKey: reference(root) }) };
}

/** For Anthropic, Hermes writes the maker before the model, and the address without its version. */
function spelled({ provider }: Route, id: Written, baseUrl: Written | null): { readonly id: Written; readonly baseUrl: Written | null } {
  if (provider !== 'anthropic') return { id, baseUrl };
  const versioned = (address: string): string => (/\/v\d+\/?$|\$\{env:/u.test(address) ? address : `${address.replace(/\/$/u, '')}/v1`);
  return {
    id: { ...id, value: id.value.replace(/^anthropic\//u, '') },
    baseUrl: baseUrl === null ? null : { ...baseUrl, value: versioned(baseUrl.value) },
  };
}

/** Without a provider, or with `auto`, only an address tells who is meant. */
function routeOf(provider: string, address: string | null): Route | null {
  const name = provider.toLowerCase();
  if (name === 'auto') return address === null ? null : /^https:\/\/openrouter\.ai\//u.test(address) ? OPENROUTER : LOCAL;
  return Object.hasOwn(ROUTES, name) ? (ROUTES[name] ?? null) : null;
}

function written(root: Located, from: Path): Written | null {
  const text = writtenText(nodeAt(root, from));
  return text === null ? null : { from, value: hermesText(text) };
}

const KEY: Path = ['model', 'api_key'];
/** A key that is looked up in the environment; one that is written out stays where it is. */
function reference(root: Located): Written | null {
  const key = written(root, KEY);
  return key !== null && /^\$\{env:\w+\}$/u.test(key.value) ? key : null;
}

function secret(root: Located): readonly Proposal[] {
  if (nodeAt(root, KEY) === null || reference(root) !== null) return [];
  return [{ path: KEY, why: `secrets are not copied; set models.main.api_key to \${env:NAME}` }];
}

/** Both names of the model are written: the one that does not count. */
function spare(model: Located, id: Path): readonly Proposal[] {
  const other: Path = ['model', 'model'];
  return id.join('.') === 'model.default' && isMap(model) && model.entries.has('model')
    ? [{ path: other, why: 'model.default stands' }]
    : [];
}

/** A local server may serve less than the model has: the smaller one is the window. */
function window(root: Located): readonly Proposal[] {
  const sizes = ['context_length', 'ollama_num_ctx'].flatMap((key) => {
    const node = nodeAt(root, ['model', key]);
    return node === null ? [] : [{ from: ['model', key], tokens: writtenNumber(node) }];
  });
  const smallest = Math.min(...sizes.flatMap(({ tokens }) => tokens ?? []));
  const first = sizes.findIndex(({ tokens }) => tokens === smallest);
  return sizes.map(({ from, tokens }, index): Proposal => {
    if (tokens === null) return { path: from, why: 'expected a number' };
    return index === first
      ? { group: [{ from, to: ofModel('window_tokens'), value: tokens }] }
      : { path: from, why: 'the smaller window stands' };
  });
}

function outputLimit(root: Located): readonly Proposal[] {
  const from: Path = ['model', 'max_tokens'];
  const node = nodeAt(root, from);
  if (node === null) return [];
  const tokens = writtenNumber(node);
  return [
    tokens === null ? { path: from, why: 'expected a number' } : { group: [{ from, to: ofModel('max_output_tokens'), value: tokens }] },
  ];
}
