import type { Path } from '../dotted-path.ts';
import { nodeAt, type Located } from '../located.ts';
import { jsonFault } from './json-fault.ts';
import { converted, type Conversion, type Dialect, type Proposal, type Rule } from './conversion.ts';
import { modelProposal, OPENROUTER, type Route } from './model.ts';
import { number, oneOf, same, truth } from './rules.ts';
import { literal, writtenBoolean, writtenNumber, writtenText } from './written-value.ts';

const ROUTES: Readonly<Record<string, Route>> = {
  anthropic: { provider: 'anthropic' },
  openai: { provider: 'openai-responses' },
  openrouter: OPENROUTER,
};

/** pi names the model and its provider apart; one without the other tells nothing. */
const model: Rule = (root) => {
  const pair: readonly Path[] = [['defaultProvider'], ['defaultModel']];
  const [provider, id] = pair.map((path) => writtenText(nodeAt(root, path)));
  const route = provider !== null && provider !== undefined && Object.hasOwn(ROUTES, provider) ? ROUTES[provider] : undefined;
  if (typeof id === 'string' && route !== undefined)
    return [
      modelProposal({
        id: { from: ['defaultModel'], value: literal(id) },
        route,
        routeFrom: ['defaultProvider'],
        baseUrl: null,
        apiKey: null,
      }),
    ];
  const why =
    typeof id === 'string' && typeof provider === 'string'
      ? 'this provider has another name here, or none; write the model under models'
      : 'both defaultProvider and defaultModel are needed';
  return pair.flatMap((path) => (nodeAt(root, path) === null ? [] : [{ path, why }]));
};

const STRATEGY: Path = ['compaction', 'strategy'];
/** Two switches for one thing: off is off. */
const strategy: Rule = (root) => {
  const from: Path = ['compaction', 'enabled'];
  const node = nodeAt(root, from);
  const enabled = node === null ? null : writtenBoolean(node);
  const word = nodeAt(root, STRATEGY);
  if (enabled !== false) {
    const own = same(STRATEGY, STRATEGY, oneOf('context-full', 'off'))(root);
    return word !== null && enabled === true
      ? [...own, { path: from, why: 'compaction.strategy stands' }]
      : [...own, ...same(from, STRATEGY, ON)(root)];
  }
  return [
    { group: [{ from, to: STRATEGY, value: 'off' }] },
    ...(word === null ? [] : [{ path: STRATEGY, why: 'compaction.enabled is false and stands' }]),
  ];
};
const ON = { read: (node: Located) => (writtenBoolean(node) === true ? 'context-full' : null), expected: truth.expected };

/** A figure that is not above 0 leaves the choice to the program. */
function chosen(from: Path, group: (value: number) => Proposal): Rule {
  return (root) => {
    const node = nodeAt(root, from);
    if (node === null) return [];
    const value = writtenNumber(node);
    if (value === null) return [{ path: from, why: number.expected }];
    return [value > 0 ? group(value) : { path: from, why: 'it leaves the choice to the program, which is the default here' }];
  };
}

const PERCENT: Path = ['compaction', 'thresholdPercent'];
/** pi knows no floor for small windows: a threshold that was chosen holds for every window. */
const percent = chosen(PERCENT, (value) => ({
  group: [
    { from: PERCENT, to: ['compression', 'threshold'], value: value / 100 },
    { from: PERCENT, to: ['compression', 'small_context_floor'], value: false },
  ],
}));

const TOKENS: Path = ['compaction', 'thresholdTokens'];
const tokens = chosen(TOKENS, (value) => ({ group: [{ from: TOKENS, to: ['budget', 'marks', 'start'], value }] }));

const pi: Dialect = {
  rules: [
    model,
    strategy,
    percent,
    tokens,
    same(['compaction', 'keepRecentTokens'], ['compaction', 'keep_recent_tokens'], number),
    same(['compaction', 'autoContinue'], ['compaction', 'auto_continue'], truth),
  ],
  sections: ['compaction', 'compaction.adaptive', 'branchSummary', 'contextPromotion', 'retry', 'sessionMemory'],
  reasons: {
    'compaction.reserveTokens': 'what is kept free is models.<name>.max_output_tokens',
    packages: 'packages of pi do not run here; plugins names ours',
    extensions: 'extensions of pi do not run here; plugins names ours',
    sessionDir: 'sessions are kept in one database; store.path names it',
  },
  syntaxFault: jsonFault,
};

/**
 * The settings of pi and its relatives (`settings.json`) as a `palimpsest.yaml`.
 * @throws CONFIG_INVALID with line and column when the text is no mapping.
 */
export const convertPi = (text: string, file = 'settings.json'): Conversion => converted(text, file, pi);
